package main

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/field/smallprime"
)

// Every rival gives the same as we do, and each form has a line for each length, two for benchstat.
func TestRivals(t *testing.T) {
	all := rivals()
	for _, as := range []form{tableForm, jsonForm, benchForm} {
		var out strings.Builder
		if err := runRivals(&out, as, all, 3, 4, time.Microsecond, "abc"); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		switch as {
		case tableForm:
			row := regexp.MustCompile(`^\S+ +\w+ +2\^[34] +\S+ +\S+ [nµm]s .* \d+\.\d % +\S+$`)
			if len(lines) != 3+2*len(all) || !row.MatchString(lines[3]) {
				t.Errorf("table: %s", out.String())
			}
		case jsonForm:
			var res result
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &res); err != nil || len(lines) != 2*len(all) {
				t.Errorf("%d lines, error %v", len(lines), err)
			}
			if res.Peer != "math/big" || res.PeerVersion != res.Go || res.N != 16 || res.Commit != "abc" ||
				res.Ratio != math.Round(1000*res.NsMin/res.PeerNsMin)/1000 {
				t.Errorf("%+v", res)
			}
		case benchForm:
			for _, want := range []string{"goos: ", "BenchmarkForward/field=babybear/n=8/lib=galfft ",
				"BenchmarkForward/field=bn254/n=16/lib=gnark-crypto ", "/lib=lattigo ",
				"BenchmarkPolymul/field=p64/n=16/lib=big "} {
				if !strings.Contains(out.String(), "\n"+want) && !strings.Contains(out.String(), want) {
					t.Errorf("no %q in %s", want, out.String())
				}
			}
		}
	}
	if n := len(among(rivals(), "gnark", "goldilocks")); n != 1 {
		t.Errorf("%d rivals, want 1", n)
	}
	for _, bad := range [][2]int{{0, 3}, {4, 3}, {3, 99}} {
		if err := runRivals(new(strings.Builder), tableForm, all, bad[0], bad[1], time.Microsecond, ""); err == nil {
			t.Errorf("lengths 2^%d to 2^%d were accepted", bad[0], bad[1])
		}
	}
	err := runRivals(new(strings.Builder), tableForm, among(rivals(), "nobody", ""), 3, 4, time.Microsecond, "")
	if err == nil || !strings.Contains(err.Error(), "want one of") {
		t.Errorf("a peer that is none: error %v", err)
	}
	boom := errors.New("boom")
	fails := func() error { return boom }
	if _, _, err := duel(fails, fails, 0); !errors.Is(err, boom) {
		t.Errorf("error %v, want boom", err)
	}
}

// Products by integers hold for the largest coefficients, where carries run through all words.
func TestKronecker(t *testing.T) {
	f := smallprime.P64()
	p := f.Modulus()
	x, z := make([]uint64, 100), make([]uint64, 199)
	for i := range x {
		x[i] = p - 1
	}
	k := newKronecker(p)
	for range 2 { // the second with what the first left
		k.multiply(z, x, x)
		for i := range z {
			if want := uint64(min(i+1, 199-i)); z[i] != want {
				t.Fatalf("coefficient %d is %d, want %d", i, z[i], want)
			}
		}
	}
}
