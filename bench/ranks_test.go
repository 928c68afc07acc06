package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
)

// The model of ranks by hand: 2^20 points on 4 ranks are 2^18 each, of which three quarters leave.
func TestRankModel(t *testing.T) {
	m := rankModel{log: 20, ranks: 4, own: 18, rate: 8 * (1 << 18) * .75}
	if m.part() != 1<<18 || m.sent() != 6<<18 || math.Abs(m.layers()-20) > 1e-9 || math.Abs(m.time()-21) > 1e-9 {
		t.Errorf("%v, %v, %v, %v", m.part(), m.sent(), m.layers(), m.time())
	}
	var b bytes.Buffer
	if err := reckonRanks(&b, 10, time.Microsecond, "c"); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "2^36 points") != 6 || !strings.Contains(b.String(), "commit c") {
		t.Error(b.String())
	}
}
