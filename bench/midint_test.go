package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/midint/literal"
)

func midintSettings(form form) *settings {
	return &settings{bits: []int{64, 96}, batch: 9, ops: midintOps, workers: []int{1, 2}, budget: time.Microsecond,
		form: form, commit: "c", peers: []string{"none=/there/is/none"}}
}

// Every column has a line for each operation, width and number of workers, with a time or the reason why not.
func TestMidint(t *testing.T) {
	var b bytes.Buffer
	if err := runMidint(&b, midintSettings(jsonForm)); err != nil {
		t.Fatal(err)
	}
	_, err := openCard()
	count, card := 0, err == nil
	for d := json.NewDecoder(&b); d.More(); count++ {
		var l midintLine
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		if (l.NsMedian > 0) == (l.Absent != "") || l.Absent == "" && (l.Device == "" || l.Residency == "") ||
			l.Column == "none" && l.Absent != "the program is not there" ||
			l.Column == "ours on a device" && l.Workers == 1 && card &&
				(l.Absent != "") != strings.HasPrefix(l.Op, "cyclic") ||
			l.Column == "ours" && (l.Absent != "") != strings.HasPrefix(l.Op, "cyclic") ||
			(l.Column == "literal FFT p32" || l.Column == transform32 && card) && l.Workers == 1 && l.Bits == 64 &&
				l.Op == "cyclic32" && l.Absent != "" {
			t.Errorf("%+v", l)
		}
	}
	further := 0
	for _, c := range midintColumns {
		if c.further {
			further++
		}
	}
	// Two widths and two numbers of workers; three columns of programs; two operations have further columns alone.
	if want := 2*2*(7*(len(midintColumns)+3)+2*further) + 2*len(midintWaits); count != want {
		t.Errorf("%d lines, want %d", count, want)
	}
	b.Reset()
	if err := runMidint(&b, midintSettings(0)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"\npoly\n", "| the crossover to transforms is at about 2^15 bits | ", "\npoly, further columns\n",
		"| literal × 1 | literal FFT p32 × 1 |",
		"| 96 | 9 | ", "CGBN × 1: not compiled",
		"\n| latency of v·x + 1 | 64 | ",
		"none × 1: the program is not there"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("tables lack %q", text)
		}
	}
	for _, wrong := range []func(s *settings){func(s *settings) { s.ops = []string{"div"} },
		func(s *settings) { s.peers = []string{"x"} }, func(s *settings) { s.columns = []string{"our"} }} {
		s := midintSettings(jsonForm)
		wrong(s)
		if err := runMidint(&b, s); !errors.Is(err, errUsage) {
			t.Errorf("error %v", err)
		}
	}
}

// Columns may be chosen: others have no lines, and tables without any are left out.
func TestMidintChosen(t *testing.T) {
	s := midintSettings(jsonForm)
	s.columns, s.ops, s.workers = []string{"ours", "literal"}, []string{"add", "mullow"}, []int{1}
	var b bytes.Buffer
	if err := runMidint(&b, s); err != nil {
		t.Fatal(err)
	}
	count := 0
	for d := json.NewDecoder(&b); d.More(); count++ {
		var l midintLine
		if err := d.Decode(&l); err != nil || !slices.Contains(s.columns, l.Column) || l.NsMedian == 0 {
			t.Errorf("%+v, error %v", l, err)
		}
	}
	if want := 2 * 2 * 2; count != want {
		t.Errorf("%d lines, want %d", count, want)
	}
	s.form = 0
	if err := runMidint(&b, s); err != nil || strings.Contains(b.String(), "\nadd\n") {
		t.Errorf("error %v, tables %s", err, b.String())
	}
}

// Quoted times are those that the rates of the paper have, and there are none where it has none.
func TestMidintQuoted(t *testing.T) {
	for _, c := range []struct {
		op           string
		column, bits int
		ms           float64
	}{{"add", 1, 1 << 18, 1.220}, {"sixadd", 0, 1 << 11, 1.380}, {"mullow", 2, 1 << 18, 45.16},
		{"poly", 0, 1 << 17, 10066}, {"mullow", 1, 1 << 18, 0}, {"mulwide", 0, 1 << 11, 0}, {"add", 0, 1 << 10, 0}} {
		if ns := quotedTime(c.op, c.column, c.bits); math.Abs(ns/1e6-c.ms) > 1e-3*c.ms {
			t.Errorf("%+v: %v ns", c, ns)
		}
	}
}

// Digits are the longest that are exact, and words come back from them.
func TestMidintDigits(t *testing.T) {
	for width, want := range map[int]literal.Digits{32: {Count: 3, Bits: 15}, 2048: {Count: 171, Bits: 12},
		1 << 16: {Count: 7282, Bits: 9}} {
		if f, err := fitting(literal.PrimeField32(), width); err != nil || f.d != want {
			t.Errorf("%d bits: %+v, error %v", width, f, err)
		}
	}
	for width, want := range map[int][2]int{2048: {512, 2}, 1 << 13: {2048, 2}, 1 << 16: {16384, 16}} {
		if f, err := fitting(literal.PrimeField32(), width); err != nil || [2]int{f.m, f.q} != want {
			t.Errorf("%d bits: %d points, %d of a thread, error %v", width, f.m, f.q, err)
		}
	}
	if _, err := fitting(literal.PrimeField32(), 1<<17); !errors.Is(err, errAbsent) ||
		!strings.Contains(err.Error(), "no block has 32768 points for 16384 digits of 8 bits") {
		t.Errorf("error %v", err)
	}
	words := []uint32{1, 1<<32 - 1, 0x12345678, 7, 0, 0xfedcba98}
	for _, d := range []literal.Digits{{Count: 9, Bits: 11}, {Count: 4, Bits: 31}, {Count: 7, Bits: 15}} {
		if got := joined(cut[uint64](words, 3, d), d.Count, d.Bits, 3); !slices.Equal(got, words) {
			t.Errorf("%+v: %x", d, got)
		}
	}
}

// What columns of cyclic convolutions are compared with is their definition, for the largest digits too.
func TestMidintCyclic(t *testing.T) {
	cyclicWants(t, literal.PrimeField32())
	cyclicWants(t, literal.PrimeField64())
}

func cyclicWants[W literal.Word](t *testing.T, f literal.Field[W]) {
	x, y := make([]uint32, 24), make([]uint32, 24)
	midintWords(0, x)
	midintWords(1, y)
	for i := range 10 {
		x[i], y[i] = 1<<32-1, 1<<32-1
	}
	for _, m := range []int{1, 2, 10, 24} {
		a, b := halves[W](x[:m]), halves[W](y[:m])
		want := make([]W, len(a))
		for i := range a {
			for j := range b {
				want[(i+j)%len(a)] = f.Add(want[(i+j)%len(a)], f.Mul(a[i], b[j]))
			}
		}
		got := make([]uint32, 2*m)
		if cyclicWant(f, got, x[:m], y[:m]); !slices.Equal(got, plainWords(want)) {
			t.Errorf("modulo %d, %d words: %x", f.P, m, got)
		}
	}
}

// Claims hold or not by the times of lines, of which those of the longest batches count, and quoted ones at widths
// where a program did not run.
func TestMidintClaims(t *testing.T) {
	line := func(op, column string, bits, batch int, ns float64) midintLine {
		return midintLine{Op: op, Column: column, Bits: bits, Batch: batch, NsMedian: ns,
			Version: "low halves by tensor cores"}
	}
	lines := []midintLine{{Op: "mullow", Column: "CGBN", Bits: 1 << 15, Absent: "not compiled"},
		line("mullow", "CGBN", 1<<16, 16, 10*40*32)}
	for i, bits := range midintWidths {
		lines = append(lines, line("mullow", classicalCard, bits, 1<<20/bits, 40*float64(int(1)<<i)),
			line("mullow", classicalCard, bits, 1<<10/(bits>>10), 1), // of a shorter batch, behind
			line("mullow", "CGBN on an A100, quoted", bits, 1<<20/bits, 100*float64(int(1)<<i)),
			line("mullow", oursOnCard, bits, 1<<20/bits, 20*float64(int(1)<<i)))
		if bits < 1<<18 {
			lines = append(lines, line("mullow", transform64, bits, 1<<20/bits, 500),
				line("mullow", transform32, bits, 1<<20/bits, 600))
		}
	}
	dir := t.TempDir()
	var text bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&text).Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "x-midint.jsonl")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := claimsOf(&b, name); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| classical products beat CGBN from 2^15 to 2^18 bits | holds: 2.5 (2^15, quoted), 10 (2^16), 2.5 (2^17, quoted), " +
			"2.5 (2^18, quoted) | holds: 5 (2^15, quoted), 20 (2^16), 5 (2^17, quoted), 5 (2^18, quoted) |\n",
		"| transforms beat the best classical products 2.6 times at 2^17 bits | holds: 5.12 (2^17) | does not hold: 2 (2^17)",
		"| and 6.3 times at 2^18 | open: no figures | does not hold: 2 (2^18) |\n",
		"| exact products at 2^15 bits; what is no product, p32 none to 2^18 bits, p64 none to 2^18 bits | no transforms, " +
			"tensor cores from 2^11 bits on |\n",
		"| classical to 2^18, exact by p32 to 2^17, by p64 to 2^17 | to 2^18 and above |\n",
		"| the prime of 32 bits is faster than that of 64 | products does not hold: .833",
		"| by up to 4.5 times to 2^17 bits | holds: 2.5 (2^15, quoted), 10 (2^16)",
	} {
		if !strings.Contains(strings.ReplaceAll(b.String(), " 0.", " ."), row) {
			t.Errorf("claims lack %q:\n%s", row, b.String())
		}
	}
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := claimsOf(&b, name); err == nil {
		t.Error("half a line was read")
	}
	if err := claimsOf(&b, filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A column with a wrong word is an error, and a program is held to what it writes.
func TestMidintPeer(t *testing.T) {
	s := midintSettings(jsonForm)
	c := midintCase{op: "add", bits: 64, workers: 1}
	for _, z := range []**midint.Batch{&c.x, &c.y} {
		*z, _ = midint.NewBatch(64, 9)
		(*z).Words()[3] = 1 << 31
	}
	want, by, err := midintWant(&c)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var words bytes.Buffer
	if err := binary.Write(&words, binary.LittleEndian, want); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "want"), words.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	program := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	right := program("right", fmt.Sprintf("cat > %s/got; echo 5.5 some card; cat %[1]s/want", dir))
	call, err := callPeer(&c, right)
	if err != nil || call.median != 5.5 || call.device != "some card" || call.residency != "device" {
		t.Fatalf("%+v, error %v", call, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "got")); err != nil || len(got) != 2*9*8 {
		t.Errorf("the program was given %d bytes, error %v", len(got), err)
	}
	s.peers, s.ops = []string{"right=" + right}, []string{"add"}
	if err := runMidint(&bytes.Buffer{}, s); err == nil || !strings.Contains(err.Error(), "not what "+by+" has") {
		t.Errorf("error %v for other operands", err)
	}
	for name, text := range map[string]string{"short": "echo 5", "none": "", "failed": "exit 1",
		"word": "echo x; cat want", "more": fmt.Sprintf("echo 5; cat %s/want; echo", dir)} {
		if _, err := callPeer(&c, program(name, text)); err == nil || errors.Is(err, errAbsent) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := callPeer(&c, program("unfit", "exit 3")); !errors.Is(err, errAbsent) {
		t.Errorf("error %v of a program that has no such size", err)
	}
}

// The picture has a line for each column that has times.
func TestDrawMidint(t *testing.T) {
	var b bytes.Buffer
	s := midintSettings(jsonForm)
	s.ops = []string{"mulwide", "mullow"}
	if err := runMidint(&b, s); err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(t.TempDir(), "x-midint.jsonl"), filepath.Join(t.TempDir(), "x.svg")
	if err := os.WriteFile(from, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := execute([]string{"draw", from, to}); err != nil {
		t.Fatal(err)
	}
	plot, err := os.ReadFile(to)
	if err != nil || !strings.Contains(string(plot), "ours × 2") || !strings.Contains(string(plot), "mulwide") ||
		strings.Contains(string(plot), ">none ×") {
		t.Errorf("%s, error %v", plot, err)
	}
	for _, text := range []string{"", "{", `{"op":"add","ns_median":1}`} {
		if err := os.WriteFile(from, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := drawMidint(from, to); err == nil {
			t.Errorf("%q was drawn", text)
		}
	}
}
