package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
)

// binaryMode makes this test's program a rival over GF(2^64): its answer to run, which "+" behind it has grow by one
// with each run, wrong, or none.
const binaryMode = "PAPERS_TEST_BINARY"

// binaryStandIn speaks the protocol of bench/peers/binary.h, for products, and for transforms one way, by Horner's
// rule.
func binaryStandIn(mode string) {
	f, err := binary.New[uint64](64)
	if err != nil {
		panic(err)
	}
	var op string
	var n, runs int
	var list, x, z []uint64
	for in := bufio.NewReader(os.Stdin); ; {
		command, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(command); words[0] {
		case "open":
			op, list = words[1], nil
			fmt.Sscan(words[2], &n)
			for _, w := range words[3:] {
				v, err := strconv.ParseUint(w, 16, 64)
				if err != nil {
					panic(err)
				}
				list = append(list, v)
			}
			if mode == "none" || op == "inverse" {
				fmt.Println("no", op)
				continue
			}
			fmt.Println("ok stand-in")
		case "fill":
			seed, err := strconv.ParseUint(words[1], 16, 64)
			if err != nil {
				panic(err)
			}
			x, z = make([]uint64, 2*n), make([]uint64, n)
			splitMix(x, seed)
			fmt.Println("ok")
		case "run":
			for i := range z {
				if op == "multiply" {
					f.Mul(&z[i], &x[i], &x[n+i])
					continue
				}
				var at uint64
				field.Affine[uint64]{Basis: list[:len(list)-1], Shift: list[len(list)-1]}.Point(f, &at, i)
				z[i] = 0
				for j := n - 1; j >= 0; j-- {
					f.Mul(&z[i], &z[i], &at)
					z[i] ^= x[j]
				}
			}
			if first, grows := strings.CutSuffix(mode, "+"); grows {
				base, err := strconv.Atoi(first)
				if err != nil {
					panic(err)
				}
				runs++
				fmt.Println(base + runs)
				continue
			}
			fmt.Println(mode)
		case "hash":
			sum := hashed(z)
			if mode == "wrong" {
				sum++
			}
			fmt.Println(strconv.FormatUint(sum, 16))
		}
	}
}

// A rival over GF(2^64) has lines where it has the operation, and is an error where its results are others or it tells
// no time.
func TestBinaryRivals(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(mode string, which ...string) (string, error) {
		t.Setenv(binaryMode, mode)
		var b bytes.Buffer
		err := command(append([]string{"run", "-max", "10", "-workers", "1", "-commit", "test", "-peer", "other=" + self},
			which...), &b)
		return b.String(), err
	}
	out, err := run("30000000", "pairs", "additive") // 30 ms
	if n := strings.Count(out, `"contender":"other"`); err != nil || n != 2 {
		t.Errorf("%d lines of the rival, want 2: %v", n, err)
	}
	if !strings.Contains(out, `"ns_min":30000000,"ns_mean":30000000,"samples":5,"peer":true`) {
		t.Errorf("no line with the rival's time: %s", out)
	}
	// A long first run is one of the five, which are 1 to 5 then; before a short one's are two others.
	for mode, want := range map[string]string{"200000000+": `"ns_min":200000001,"ns_mean":200000003,`,
		"20000000+": `"ns_min":20000003,"ns_mean":20000005,`} {
		if out, err := run(mode, "additive"); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v, no %s in %s", mode, err, want, out)
		}
	}
	if out, err := run("none", "pairs", "additive"); err != nil || strings.Contains(out, `"peer":true`) {
		t.Errorf("%v: %s", err, out)
	}
	for _, mode := range []string{"wrong", "x"} {
		for _, which := range []string{"pairs", "additive"} {
			if _, err := run(mode, which); err == nil || !strings.Contains(err.Error(), which+": ") {
				t.Errorf("%s: error %v", mode, err)
			}
		}
	}
}

// The best sample and the worst one are none of the mean.
func TestStatistics(t *testing.T) {
	least, mean, deviation := statistics([]float64{9, 3, 1000, 6, 1})
	if least != 1 || mean != 6 || math.Abs(deviation-math.Sqrt(6)/6) > 1e-12 {
		t.Errorf("least %v, mean %v, deviation %v", least, mean, deviation)
	}
	if least, mean, deviation = statistics([]float64{2}); least != 2 || mean != 2 || deviation != 0 {
		t.Errorf("one sample: least %v, mean %v, deviation %v", least, mean, deviation)
	}
}

// The longest transforms are taken once and alone, the shorter times first.
func TestLongest(t *testing.T) {
	f, err := binary.New[uint64](64)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	s := session{w: &b, workers: []int{1}, peers: []peer{{"none", "/nonexistent"}}}
	if err := s.additives(f, 10, 10, true); err != nil {
		t.Fatal(err)
	}
	var got string
	for one := range strings.Lines(b.String()) {
		var l line
		if err := json.Unmarshal([]byte(one), &l); err != nil || l.Samples != 1 || l.NsMean <= 0 {
			t.Errorf("%v: %s", err, one)
		}
		got += l.Contender + " " + l.What + "; "
	}
	const own = shipped + ", own subspace"
	want := own + " plan; " + own + " forward; " + own + " inverse; shipped plan; shipped forward; shipped inverse; "
	if got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
	if err := longest(&session{w: &b, workers: []int{1}, most: 26}); err != nil || strings.Count(b.String(), "\n") != 6 {
		t.Errorf("lines below 2^28, or %v", err)
	}
}
