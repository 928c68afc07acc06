package main

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/pin"
)

// The small primes hold what the large one does, and their integers are the values of transforms; digits in mixed radix
// are what they say.
func TestContestSides(t *testing.T) {
	r, err := pin.New(2)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const n = 16
	b := newBig(gfpf.P3(), n, r, 1)
	if b.err != nil {
		t.Fatal(b.err)
	}
	in := make([]*big.Int, n)
	for i := range in {
		in[i] = b.integer(i)
	}
	s, err := newSmall(50, n, b.prime, in, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if s.Modulus().Cmp(b.prime) <= 0 || len(s.plans) != 11 {
		t.Errorf("%d primes, product of %d bits", len(s.plans), s.Bits())
	}
	for _, step := range []func() error{s.project, s.images, s.combine} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range s.Primes() {
		x := make([]uint64, n)
		for j := range x {
			x[j] = new(big.Int).Mod(s.out[j], new(big.Int).SetUint64(p)).Uint64()
		}
		if err := s.plans[i].Inverse(x, x); err != nil {
			t.Fatal(err)
		}
		for j := range x {
			if want := new(big.Int).Mod(in[j], new(big.Int).SetUint64(p)).Uint64(); x[j] != want {
				t.Fatalf("prime %d, place %d: %d, want %d", p, j, x[j], want)
			}
		}
	}
	h, err := newHalf(16, n, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.mixed(); err != nil {
		t.Fatal(err)
	}
	for j := range n {
		want, place := new(big.Int), big.NewInt(1)
		for i, p := range h.primes {
			want.Add(want, new(big.Int).Mul(place, big.NewInt(int64(h.v[i][j]))))
			place.Mul(place, new(big.Int).SetUint64(p))
		}
		for w, got := range h.out[j*h.words:][:h.words] {
			word := new(big.Int).Rsh(want, uint(64*w))
			if word.And(word, new(big.Int).SetUint64(1<<64-1)).Uint64() != got {
				t.Fatalf("coefficient %d, word %d: %x of %x", j, w, got, want)
			}
		}
	}
}

func TestContest(t *testing.T) {
	var b bytes.Buffer
	if err := runContest(&b, 0, "test", 10); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"gfpf:P3, 505 bits, workers 2", "11 × 50", "9 × 62", "gfpf:P4, 993 bits, workers 1",
		"20 × 50", "32 × 30"} {
		if !strings.Contains(b.String(), s) {
			t.Errorf("no %q in\n%s", s, b.String())
		}
	}
	dir := t.TempDir()
	text, plot := filepath.Join(dir, "contest.txt"), filepath.Join(dir, "plot.svg")
	if err := os.WriteFile(text, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := drawContest(text, plot); err != nil {
		t.Fatal(err)
	}
	if svg, err := os.ReadFile(plot); err != nil || bytes.Count(svg, []byte(`<path class="line `)) != 8 {
		t.Errorf("plot: %v, %d bytes", err, len(svg))
	}
}

// The picture of docs/gfpf.md is that of the file which the page names; what is no such file is an error.
func TestDrawContest(t *testing.T) {
	page, err := os.ReadFile("../docs/gfpf.md")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`results/\S*-contest\.txt`).Find(page)
	if text == nil {
		t.Fatal("docs/gfpf.md names no file of a contest")
	}
	plot := filepath.Join(t.TempDir(), "plot.svg")
	if err := drawContest(string(text), plot); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(plot)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../docs/gfpf-contest.svg")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/gfpf-contest.svg is not that of %s, %v:\ngo run -C bench . draw %[1]s ../docs/gfpf-contest.svg",
			text, err)
	}
	if n := bytes.Count(got, []byte("m-3.5 0")); n != 2*(4+1) {
		t.Errorf("%d circles, want those of P3 at four lengths and in the legend, with one worker and with two", n)
	}
	for _, name := range []string{"main.go", "none"} {
		if drawContest(name, plot) == nil {
			t.Errorf("%s was drawn", name)
		}
	}
}

// Times are read as they are written, but for what three digits leave out.
func TestDuration(t *testing.T) {
	for _, ns := range []float64{1, 832, 14500, 454e3, 11.6e6, 1.23e9} {
		if got, err := duration(nanos(ns)); err != nil || got != ns {
			t.Errorf("%q: %g, %v, want %g", nanos(ns), got, err, ns)
		}
	}
	for _, s := range []string{"", "1", "x ns", "1 h"} {
		if ns, err := duration(s); err == nil {
			t.Errorf("%q: %g", s, ns)
		}
	}
}

func TestFermat(t *testing.T) {
	list, err := recordedTimes()
	if err != nil || len(list) != 5 {
		t.Fatalf("%d recorded times, error %v; want 5", len(list), err)
	}
	for _, p := range list {
		p.n = 64
		if _, err := fermatTime(p, 0); err != nil || p.ns <= 0 || p.atLeast > p.aim {
			t.Errorf("%+v: %v", p, err)
		}
	}
	var b bytes.Buffer
	if err := packed(&b, gfpf.P3(), 0); err != nil || !strings.Contains(b.String(), "gfpf:P3") {
		t.Errorf("%q, %v", b.String(), err)
	}
}
