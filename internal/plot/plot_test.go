package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/svg"
)

var update = flag.Bool("update", false, "write the golden files")

func bits(field string) (int, error) {
	if n, ok := map[string]int{"p62": 62, "babybear": 31}[field]; ok {
		return n, nil
	}
	return 0, fmt.Errorf("no field %s", field)
}

func lines(t testing.TB) []Line {
	f, err := os.Open(filepath.Join("testdata", "lines.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	all, err := Read("lines.jsonl", f)
	require.NoError(t, err)
	return all
}

func where(t *testing.T, all []Line, key string, values ...string) []Line {
	kept, err := Where(all, key, values...)
	require.NoError(t, err)
	return kept
}

// Pictures are those of testdata, whatever the order of lines: -update writes them, for somebody to look at.
func TestGolden(t *testing.T) {
	all := lines(t)
	chosen := map[Kind][]Line{
		Times:    where(t, where(t, all, "scheme", "auto"), "workers", "1"),
		Ratio:    all,
		Bases:    where(t, where(t, where(t, all, "workers", "1"), "field", "p62"), "backend", "cpu"),
		Workers:  where(t, where(t, where(t, where(t, all, "n", "2^16"), "backend", "cpu"), "field", "p62"), "scheme", "auto"),
		Roofline: where(t, where(t, where(t, all, "workers", "1"), "scheme", "auto"), "peer", ""),
	}
	for _, k := range Kinds() {
		p, err := Draw(k, chosen[k], bits)
		require.NoError(t, err, k)
		for ext, got := range map[string][]byte{".svg": p.Render(), ".txt": p.Text(80)} {
			again, err := Draw(k, slices.Clone(chosen[k]), bits)
			require.NoError(t, err)
			if ext == ".svg" {
				require.Equal(t, got, again.Render(), "%v differs from call to call", k)
				wellFormed(t, got)
			}
			file := filepath.Join("testdata", k.String()+ext)
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o666))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "%s: run go test ./internal/plot -update and look at it", file)
		}
	}
}

func wellFormed(t testing.TB, svg []byte) {
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

const good = `{"field":"p62","op":"forward","n":4,"ns_min":8,"cpu":"A"}`

// What is no measurement is an error with the name of the file and the number of the line.
func TestReadFails(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "f has no lines",
		good + "\n\n" + good:                  "f, line 2: it is empty",
		good + "\n{":                          "f, line 2: not whole, or no JSON object",
		good + "\n[1]":                        "f, line 2: not whole, or no JSON object",
		good + "\nx":                          "f, line 2: not whole, or no JSON object",
		good + good:                           "f, line 1: want one JSON object",
		good + "]":                            "f, line 1: want one JSON object",
		good[:len(good)-1] + `,"other":1}`:    `f, line 1: a key "other", which no measurement has`,
		strings.Repeat(" ", 1<<17):            "f, line 1: more than 65536 bytes",
		strings.Replace(good, "p62", "", 1):   `f, line 1: field "", op "forward", cpu "A", want all three`,
		strings.Replace(good, `"A"`, `""`, 1): `cpu "", want all three`,
		strings.Replace(good, "forward", `\u001b[31m`, 1):     `"\x1b[31m" does not print`,
		strings.Replace(good, ":4", ":0", 1):                  "n 0, batch 0, workers 0, base 0, want at least 1",
		strings.Replace(good, ":4", ":1.5", 1):                `"n" has number 1.5, want int`,
		strings.Replace(good, ":8", ":0", 1):                  "ns_min 0, want more than 0",
		strings.Replace(good, ":8", ":1e999", 1):              `"ns_min" has number 1e999`,
		strings.Replace(good, `"n"`, `"base":-1,"n"`, 1):      "base -1",
		strings.Replace(good, `"n"`, `"workers":-1,"n"`, 1):   "workers -1",
		strings.Replace(good, `"n"`, `"batch":-1,"n"`, 1):     "batch -1",
		strings.Replace(good, `"n"`, `"peer":"other","n"`, 1): "peer_ns_min 0 of other",
	} {
		_, err := Read("f", strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "json:", text)
		require.NotContains(t, err.Error(), "bufio", text)
	}
	_, err := Read("f", io.MultiReader(strings.NewReader(good+"\n"), failing{}))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.ErrorContains(t, err, "f, line 2")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func read(t *testing.T, text string) []Line {
	all, err := Read("f", strings.NewReader(text))
	require.NoError(t, err)
	return all
}

// Lines of several machines, and lines that are for no picture, are errors.
func TestDrawFails(t *testing.T) {
	device := strings.Replace(good, `"n"`, `"device":"X","n"`, 1)
	one := strings.Replace(good, ":4", ":1", 1)
	two := strings.Replace(good, `"n"`, `"workers":2,"n"`, 1)
	machine := func(op string) string {
		return strings.NewReplacer("p62", "machine", "forward", op).Replace(good)
	}
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{Times, good + "\n" + strings.Replace(good, `"A"`, `"B"`, 1),
			`f, line 2 is of a machine with "B", and f, line 1 with "A"`},
		{Times, good + "\n" + device + "\n" + good + "\n" + strings.Replace(device, "X", "Y", 1),
			`f, line 4 is of device "Y", and f, line 2 of "X"`},
		{Times, one, "want transforms of two points or more"},
		{Times, strings.Replace(good, "forward", "polymul", 1), "want transforms"},
		{Bases, one, "want transforms"},
		{Ratio, good, "want comparisons with peers"},
		{Workers, good, "no line has more than one worker"},
		{Workers, two, "f, line 1 has 2 workers, and no line has the same with one"},
		{Workers, strings.Replace(good, `"n"`, `"peer":"x","peer_ns_min":1,"n"`, 1), "want lines of galfft bench"},
		{Roofline, good, "no line tells what the machine does"},
		{Roofline, good + "\n" + machine("copy"), "no line tells what the machine does"},
		{Roofline, good + "\n" + machine("multiply"), "no line tells what the machine does"},
		{Roofline, good + "\n" + two, "f, line 2 has 2 workers, tier , and f, line 1 1, : a roofline is of one choice"},
		{Roofline, strings.Replace(good, "p62", "q", 1) + "\n" + machine("copy") + "\n" + machine("multiply"),
			"f, line 1: no field q"},
		{Roofline, machine("copy"), "want transforms"},
	} {
		_, err := Draw(c.kind, read(t, c.text), bits)
		require.ErrorContains(t, err, c.want)
	}
	_, err := Draw(Times, read(t, good+"\n"+device+"\n"+good), bits)
	require.NoError(t, err, "a processor and its device")
}

// line is a measurement of p62.
func line(change ...string) string { return strings.NewReplacer(change...).Replace(good) + "\n" }

// Points are from left to right, in whatever order lines are, and of the fastest measurements.
func TestPoints(t *testing.T) {
	p, err := Draw(Times, read(t, line(":8", ":24")+line(":4", ":16", ":8", ":320")+line(":4", ":2")+line(":8", ":12")), bits)
	require.NoError(t, err)
	points := []svg.Point{{N: 2, Value: 8}, {N: 4, Value: 3}, {N: 16, Value: 10}}
	require.Equal(t, []svg.Line{{Name: "p62", Points: points}}, p.(svg.Chart).Lines)

	p, err = Draw(Workers, read(t, line(`"n"`, `"workers":2,"n"`, ":8", ":5")+line(":8", ":20")+line()+line(":8", ":30")), bits)
	require.NoError(t, err)
	require.Equal(t, []svg.Point{{N: 1, Value: 1}, {N: 2, Value: 1.6}}, p.(svg.Chart).Lines[1].Points)
}

// The roof is that of as many workers and of the tier, and its memory that of the longest vector.
func TestRoof(t *testing.T) {
	machine := func(op, ns string, more ...string) string {
		return line(append([]string{"p62", "machine", "forward", op, ":8", ":" + ns}, more...)...)
	}
	text := line() + machine("copy", "4") + machine("copy", "1", `"n":4`, `"n":2`) + machine("multiply", "2", `"n":4`, `"n":64`)
	want := svg.Line{Name: "roof: 4 GB/s, 0.5 products a ns", Dashed: true}
	for _, other := range []string{"", `"workers":2,`, `"tier":"avx2",`} {
		if other != "" { // faster, and of another choice
			text += machine("copy", "0.5", `"n":4`, other+`"n":9`) + machine("multiply", "0.5", `"n":4`, other+`"n":64`)
		}
		p, err := Draw(Roofline, read(t, text), bits)
		require.NoError(t, err)
		lines := p.(svg.Chart).Lines
		want.Points = lines[1].Points
		require.Equal(t, want, lines[1])
		for _, p := range want.Points {
			require.Equal(t, min(4*p.N, 0.5), p.Value)
		}
	}
}

func TestWhere(t *testing.T) {
	all := lines(t)
	require.Len(t, where(t, all, "peer", "NTL", "peer"), 4)
	require.Len(t, where(t, all, "backend", "gpu"), 1)
	_, err := Where(all, "length", "4")
	require.ErrorContains(t, err, `not chosen by "length", want one of ["field" "op"`)
	_, err = Where(all, "field", "p62", "p63")
	require.ErrorContains(t, err, `no line has field=p63, lines have ["p62" "babybear" "machine"]`)
}

// Curves are named by what differs, and what does not stands once.
func TestNames(t *testing.T) {
	all := where(t, lines(t), "scheme", "fourstep")
	name, common := names(all, "n")
	require.Equal(t, "base 16", name(&all[0]))
	require.Equal(t, "p62, forward, fourstep, natural order, 1 worker, ifma", common)
}

func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		got, err := ParseKind(k.String())
		require.NoError(t, err)
		require.Equal(t, k, got)
	}
	_, err := ParseKind("pie")
	require.ErrorContains(t, err, `want one of ["times" "ratio" "bases" "workers" "roofline"]`)
}

// FuzzDraw reads anything, and draws what it can.
func FuzzDraw(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", "lines.jsonl"))
	require.NoError(f, err)
	f.Add(string(text))
	f.Add(good)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read("f", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, k := range Kinds() {
			p, err := Draw(k, slices.Clone(all), func(string) (int, error) { return 64, nil })
			if err != nil {
				continue
			}
			wellFormed(t, p.Render())
			p.Text(80)
		}
	})
}
