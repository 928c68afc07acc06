package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"
)

// Products are those of math/big, of words that are all ones, zeros and random; a peer with another value is found.
func TestIntegers(t *testing.T) {
	for _, n := range []int{1, 2, 3, 64, 1000} {
		m, err := newIntegerProduct(n)
		if err != nil {
			t.Fatal(err)
		}
		ones := new(big.Int).Lsh(big.NewInt(1), uint(64*n))
		ones.Sub(ones, big.NewInt(1))
		high := new(big.Int).Lsh(big.NewInt(1), uint(64*n-1))
		for _, c := range [][2]*big.Int{{ones, ones}, {high, high}, {ones, high},
			{ones, big.NewInt(0x2ffffffff)}, // a sum in which the lower word of a coefficient overflows
			{randomInteger(n, 1), randomInteger(n, 2)}} {
			var z big.Int
			if err := m.mul(&z, c[0], c[1]); err != nil {
				t.Fatal(err)
			}
			if want := new(big.Int).Mul(c[0], c[1]); z.Cmp(want) != 0 {
				t.Errorf("%d words: %.40x·%.40x is %.40x…, want %.40x…", n, c[0].Bytes(), c[1].Bytes(), z.Bytes(), want.Bytes())
			}
		}
	}
	var b bytes.Buffer
	if err := integers(&b, 0, 5, time.Millisecond, "c"); err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(&b); d.More(); {
		var r result
		if err := d.Decode(&r); err != nil || r.Op != "mul" || r.PeerVersion == "unknown" || r.PeerNsMin <= 0 ||
			r.NsMin <= 0 || r.Reps < 5 {
			t.Errorf("%+v, error %v", r, err)
		}
	}
	x := randomInteger(2, 1)
	wrong := []integerPeer{{"wrong", "", 9, func() {}, func() *big.Int { return x }}}
	if err := besideIntegers(&b, x, x, 2, 0, "", wrong); err == nil || !strings.Contains(err.Error(), "not that of wrong") {
		t.Errorf("error %v for a wrong peer", err)
	}
	for _, c := range [][2]int{{-1, 3}, {4, 3}, {3, 99}} {
		if err := integers(&b, c[0], c[1], 0, ""); err == nil {
			t.Errorf("2^%d to 2^%d words were accepted", c[0], c[1])
		}
	}
}
