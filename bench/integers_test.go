package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"
)

// Lines are of products of whole numbers; a peer with another value is found.
func TestIntegers(t *testing.T) {
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
