package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// compressed is experiments.cu as PTX. kernels/cuda/_gen writes it.
//
//go:embed experiments.ptx.gz
var compressed []byte

// source is the PTX.
func source() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// line is one measurement.
type line struct {
	Experiment string  `json:"experiment"`
	Field      string  `json:"field"`
	K          int     `json:"k,omitempty"` // digits, where it is chosen at run time
	N          int     `json:"n"`
	Layout     string  `json:"layout,omitempty"` // planes or elements
	Case       string  `json:"case"`
	Blocks     int     `json:"blocks,omitempty"` // of one permutation and digit
	Ms         float64 `json:"ms"`
	GBs        float64 `json:"gb_s,omitempty"`         // read and written, as the operation has to
	Gops       float64 `json:"gops,omitempty"`         // 10^9 operations a second
	Threads    int     `json:"threads,omitempty"`      // of a block
	Occupancy  float64 `json:"occupancy,omitempty"`    // threads of a multiprocessor over those that it can hold
	Registers  int     `json:"registers,omitempty"`    // of a thread
	Local      int     `json:"local,omitempty"`        // bytes of a thread, of spilled registers
	Text       int     `json:"instructions,omitempty"` // in the PTX of the kernel, loops counted once
	Launches   int     `json:"launches,omitempty"`     // of kernels and copies
	Device     string  `json:"device"`
	Driver     string  `json:"driver"`
	Commit     string  `json:"commit"`
	Date       string  `json:"date"`
}

// session is a run on a device.
type session struct {
	budget     time.Duration
	most       int // log2 of vectors
	experiment string

	w          io.Writer
	common     line
	d          *device.Device
	module     *driver.Module
	text       string
	functions  map[string]*device.Function
	start, end *driver.Event
}

func (s *session) open(w io.Writer, commit string) (err error) {
	s.w, s.functions = w, map[string]*device.Function{}
	if s.text, err = source(); err != nil {
		return err
	}
	if s.d, err = device.Open(0); err != nil {
		return err
	}
	if s.module, err = s.d.Driver().Load(s.text); err != nil {
		return cmp.Or(s.d.Close(), err)
	}
	if s.start, err = s.d.Driver().NewTimer(); err != nil {
		return err
	}
	if s.end, err = s.d.Driver().NewTimer(); err != nil {
		return err
	}
	info := s.d.Info()
	s.common = line{Device: info.Name, Driver: info.Driver, Commit: commit, Date: time.Now().Format(time.DateOnly)}
	return nil
}

func (s *session) close() error {
	return cmp.Or(s.start.Close(), s.end.Close(), s.d.Stream().Wait(), s.module.Close(), s.d.Close())
}

// kernel is one of experiments.cu, and the shape of its blocks.
type kernel struct {
	name            string
	grid            [2]int
	threads, shared int
}

// call is a launch or a copy.
type call func() error

// launch is a call of k.
func (s *session) launch(k kernel, args ...uint64) (call, error) {
	f := s.functions[k.name]
	if f == nil {
		loaded, err := s.module.Function(k.name)
		if err != nil {
			return nil, err
		}
		f = device.Loaded(loaded)
		s.functions[k.name] = f
	}
	return func() error { return s.d.Launch(s.d.Stream(), f, k.grid, k.threads, k.shared, args...) }, nil
}

// measured is the median time of calls one after the other, in milliseconds.
func (s *session) measured(calls ...call) (float64, error) {
	group := func(times int) (float64, error) {
		err := s.start.Record(s.d.Stream())
		for range times {
			for _, c := range calls {
				if err == nil {
					err = c()
				}
			}
		}
		if err = cmp.Or(err, s.end.Record(s.d.Stream()), s.d.Stream().Wait()); err != nil {
			return 0, err
		}
		ms, err := driver.Milliseconds(s.start, s.end)
		return ms / float64(times), err
	}
	const groups = 9
	once, err := group(1)
	if err == nil {
		once, err = group(1) // when all is warm
	}
	if err != nil || s.budget == 0 {
		return once, err
	}
	times := max(1, int(float64(s.budget.Milliseconds())/groups/max(once, 1e-3)))
	var list []float64
	for range groups {
		ms, err := group(times)
		if err != nil {
			return 0, err
		}
		list = append(list, ms)
	}
	slices.Sort(list)
	return list[groups/2], nil
}

// report measures calls and prints the line. k is the kernel that it is about, if it is about one; bytes are read and
// written.
func (s *session) report(l line, k *kernel, bytes int, calls ...call) error {
	ms, err := s.measured(calls...)
	if err != nil {
		return err
	}
	l.Ms = ms
	if bytes > 0 && ms > 0 {
		l.GBs = float64(bytes) / ms / 1e6
	}
	if k != nil {
		u, err := s.functions[k.name].Use(k.threads, k.shared)
		if err != nil {
			return err
		}
		l.Threads = k.threads
		const most = 2048 // threads of a multiprocessor, from Volta on but for consumers' cards
		l.Occupancy = float64(u.Blocks*k.threads) / most
		l.Registers, l.Local, l.Text = u.Registers, u.Local, instructions(s.text, k.name)
	}
	return s.print(l)
}

// print prints a line.
func (s *session) print(l line) error {
	l.Experiment = s.experiment
	l.Device, l.Driver, l.Commit, l.Date = s.common.Device, s.common.Driver, s.common.Commit, s.common.Date
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.w, "%s\n", text)
	return err
}

var statement = regexp.MustCompile(`(?m)^[\t {]*(@!?%p\d+ )?[a-z][a-z0-9_.]*[\t ].*;|^[\t {]*ret;`)

// instructions counts those of a kernel in PTX, each once, and no declarations.
func instructions(ptx, name string) int {
	_, body, _ := strings.Cut(ptx, ".entry "+name+"(")
	body, _, _ = strings.Cut(body, "\n}")
	return len(statement.FindAllString(body, -1))
}

// memory makes device memory of so many words.
func (s *session) memory(words int) (*device.Memory, error) { return s.d.Make(8 * words) }

// put copies words to the device, get from it.
func put[W uint32 | uint64](s *session, m *device.Memory, x []W) error {
	return s.d.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(x)), len(x)*int(unsafe.Sizeof(x[0])))
}

func get[W uint32 | uint64](s *session, x []W, m *device.Memory) error {
	return s.d.CopyOut(unsafe.Pointer(unsafe.SliceData(x)), m.At, len(x)*int(unsafe.Sizeof(x[0])))
}

// driverPointer is the address of memory for calls of the driver.
func driverPointer(m *device.Memory) driver.Pointer { return driver.Pointer(m.At) }

// copied is a copy within the device.
func (s *session) copied(to, from *device.Memory, bytes int) call {
	return func() error { return s.d.Stream().Copy(driverPointer(to), driverPointer(from), bytes) }
}
