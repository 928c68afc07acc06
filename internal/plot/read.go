// Package plot makes pictures of measurements: of the lines that galfft bench writes, and of those of the comparisons
// in bench. Lines of one picture are of one machine. The same lines give the same bytes.
package plot

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"

	"github.com/galfft/fft/internal/benchjson"
)

// Line is a measurement.
type Line struct {
	benchjson.Line
	// Of comparisons with peers.
	Peer        string  `json:"peer"`
	PeerVersion string  `json:"peer_version"`
	PeerNsMin   float64 `json:"peer_ns_min"`
	Ratio       float64 `json:"ratio"`
	// Of bench cores.
	CPUs    []int   `json:"cpus"`
	Speedup float64 `json:"speedup"`
	// Of files of 2026-11-21 and 2026-11-22.
	Literal bool `json:"literal"`

	at string // the file and the line
}

// longest bounds the bytes of a line: those that we write have less than a thousand.
const longest = 1 << 16

// Read reads the lines of a file, whose name stands in errors. Keys that no line has, and values that no measurement
// has, are errors, with the number of the line.
func Read(name string, r io.Reader) ([]Line, error) {
	var all []Line
	s := bufio.NewScanner(r)
	s.Buffer(nil, longest)
	for s.Scan() {
		at := fmt.Sprintf("%s, line %d", name, len(all)+1)
		l, err := parse(s.Bytes())
		if err != nil {
			return nil, fmt.Errorf("plot: %s: %w", at, err)
		}
		l.at = at
		all = append(all, l)
	}
	if err := s.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("more than %d bytes", longest)
		}
		return nil, fmt.Errorf("plot: %s, line %d: %w", name, len(all)+1, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("plot: %s has no lines, want what galfft bench --json writes", name)
	}
	return all, nil
}

func parse(text []byte) (Line, error) {
	var l Line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, explain(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("want one JSON object")
	}
	for _, s := range []string{l.Field, l.Op, l.Order, l.Scheme, l.Tier, l.Backend, l.Residency, l.Peer, l.Device,
		l.Driver, l.CPU, l.Commit, l.Date} {
		if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return l, fmt.Errorf("%q does not print", s)
		}
	}
	switch {
	case l.Field == "" || l.Op == "" || l.CPU == "":
		return l, fmt.Errorf("field %q, op %q, cpu %q, want all three", l.Field, l.Op, l.CPU)
	case l.N < 1 || l.Batch < 0 || l.Workers < 0 || l.Base < 0:
		return l, fmt.Errorf("n %d, batch %d, workers %d, base %d, want at least 1, and none negative", l.N, l.Batch,
			l.Workers, l.Base)
	case !(l.NsMin > 0):
		return l, fmt.Errorf("ns_min %v, want more than 0", l.NsMin)
	case l.Peer != "" && !(l.PeerNsMin > 0):
		return l, fmt.Errorf("peer_ns_min %v of %s, want more than 0", l.PeerNsMin, l.Peer)
	}
	// What lines of comparisons leave out.
	l.Batch, l.Workers = max(l.Batch, 1), max(l.Workers, 1)
	l.Scheme, l.Backend, l.Residency = cmp.Or(l.Scheme, "auto"), cmp.Or(l.Backend, "cpu"), cmp.Or(l.Residency, "host")
	return l, nil
}

// explain says what is wrong with a line that no measurement was read from.
func explain(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty, want a JSON object")
	}
	if errors.As(err, &kind) && kind.Field != "" {
		return fmt.Errorf("%q has %s, want %v", kind.Field[strings.LastIndexByte(kind.Field, '.')+1:], kind.Value, kind.Type)
	}
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok { // the error has no type
		return fmt.Errorf("a key %s, which no measurement has", key)
	}
	return errors.New("not whole, or no JSON object")
}

// OneMachine is an error where lines are of several processors or devices: their times do not compare.
func OneMachine(all []Line) error {
	device := -1
	for i, l := range all {
		if first := all[0]; l.CPU != first.CPU {
			return fmt.Errorf("plot: %s is of a machine with %q, and %s with %q: want lines of one machine", l.at, l.CPU,
				first.at, first.CPU)
		}
		switch {
		case l.Device == "":
		case device < 0:
			device = i
		case l.Device != all[device].Device:
			return fmt.Errorf("plot: %s is of device %q, and %s of %q: want lines of one machine", l.at, l.Device,
				all[device].at, all[device].Device)
		}
	}
	return nil
}

// butterflies is how many a transform of l takes, n/2·log2(n) for each of the batch.
func (l *Line) butterflies() float64 {
	n := float64(l.N)
	return float64(l.Batch) * n / 2 * math.Log2(n)
}
