package benchjson

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

var line = Line{
	Field: "goldilocks", Op: "forward", N: 1024, Batch: 1, Scheme: "auto", Ran: "depth-first", Tier: "go",
	Backend:   "cpu",
	Residency: "host", Workers: 2, Order: "natural", NsMin: 12.34567, NsMedian: 13, Reps: 11,
	Go: "go1.26.8", CPU: "a cpu", Features: "avx2", Caches: "L1 48K", Commit: "unknown", Date: "2026-01-02",
}

func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	if err := line.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	want := `{"field":"goldilocks","op":"forward","n":1024,"batch":1,"scheme":"auto","ran":"depth-first","products":"","base":0,` +
		`"tier":"go","backend":"cpu","device":"","driver":"","residency":"host","workers":2,"order":"natural",` +
		`"ns_min":12.346,"ns_median":13,"reps":11,"go":"go1.26.8","cpu":"a cpu","features":"avx2","caches":"L1 48K","commit":"unknown","date":"2026-01-02"}` + "\n"
	if b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}

func TestRound(t *testing.T) {
	for ns, want := range map[float64]float64{0.000062578449: 0.000062578, 0.03125678: 0.031257, 1.23456: 1.235,
		99.9994: 99.999} {
		if got := round(ns); got != want {
			t.Errorf("%v became %v, want %v", ns, got, want)
		}
	}
}

func TestWriteBench(t *testing.T) {
	var b strings.Builder
	if err := line.WriteHeader(&b); err != nil {
		t.Fatal(err)
	}
	samples := []Sample{{1, 10}, {3, 2}}
	if err := line.WriteBench(&b, samples); err != nil {
		t.Fatal(err)
	}
	name := "BenchmarkForward/field=goldilocks/scheme=depth-first/n=1024/tier=go/workers=2/order=natural"
	want := "goos: " + runtime.GOOS + "\ngoarch: " + runtime.GOARCH +
		"\npkg: github.com/galfft/fft\ncpu: a cpu\ncommit: unknown\ndate: 2026-01-02\n" +
		name + " 1 10 ns/op 10 min-ns/op\n" + name + " 3 2 ns/op 2 min-ns/op\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}

	// 25 samples become ten lines that use each sample once.
	b.Reset()
	samples = nil
	for range 5 {
		samples = append(samples, Sample{1, 10}, Sample{3, 2}, Sample{1, 10}, Sample{1, 1}, Sample{1, 1})
	}
	if err := line.WriteBench(&b, samples); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 10 || lines[0] != name+" 4 4 ns/op 2 min-ns/op" {
		t.Errorf("got %d lines, the first %q", len(lines), lines[0])
	}
}

func TestName(t *testing.T) {
	l := line
	l.Op, l.Base, l.Batch, l.Ran = "polymul", 64, 8, ""
	want := "BenchmarkPolymul/field=goldilocks/scheme=auto/n=1024/base=64/batch=8/tier=go/workers=2/order=natural"
	if l.Name() != want {
		t.Errorf("got %s, want %s", l.Name(), want)
	}
	l.Backend, l.Residency = "gpu", "device"
	if want += "/backend=gpu/residency=device"; l.Name() != want {
		t.Errorf("got %s, want %s", l.Name(), want)
	}
}

func TestWriteDevice(t *testing.T) {
	l := line
	l.Device, l.Driver = "a gpu", "13.0"
	var b strings.Builder
	if err := l.WriteDevice(&b); err != nil {
		t.Fatal(err)
	}
	if want := "device: a gpu\ndriver: 13.0\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestCommitOf(t *testing.T) {
	for want, settings := range map[string][]debug.BuildSetting{
		"unknown":   nil,
		"abc":       {{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}},
		"abc+dirty": {{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "abc"}},
	} {
		if got := commitOf(&debug.BuildInfo{Settings: settings}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if Commit() == "" || CPU() == "" {
		t.Errorf("commit %q, CPU %q, want both", Commit(), CPU())
	}
}
