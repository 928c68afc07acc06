package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// There are twenty pairs; one of them is tuned, compared and printed.
func TestTuned(t *testing.T) {
	if n := len(tunedCases(24, "")); n != 20 {
		t.Errorf("%d pairs, want 20", n)
	}
	var out strings.Builder
	cases := tunedCases(24, "bn254 2^8")
	cases[0].log = 3
	// Slower or not: the clock says nothing on a machine that does something else.
	err := runTuned(&out, cases, time.Minute, time.Millisecond, "abc")
	if err != nil && !strings.Contains(err.Error(), "1 of 1 tuned plans are slower") {
		t.Fatal(err)
	}
	var res tunedResult
	if err := json.Unmarshal([]byte(out.String()), &res); err != nil {
		t.Fatal(err)
	}
	if res.Field != "bn254" || res.N != 8 || res.Commit != "abc" || res.NsMin <= 0 || res.TunedMin <= 0 ||
		res.Ratio <= 0 || res.Rounds != rounds || !strings.HasPrefix(res.Line, "transform n=8 ") {
		t.Errorf("%+v", res)
	}
	boom := errors.New("boom")
	cases[0].run = func(int, time.Duration, time.Duration) (res tunedResult, err error) {
		res.judge([]float64{1.2, 1.1, 0.5}, []float64{0.95, 1.01})
		return res, nil
	}
	if err := runTuned(&out, cases, 0, 0, ""); err == nil {
		t.Error("1.1 is above the noise of 1/0.95")
	}
	cases[0].run = func(int, time.Duration, time.Duration) (res tunedResult, err error) {
		res.judge([]float64{1.2, 1.1, 0.5}, []float64{0.9, 1.01})
		return res, nil
	}
	if err := runTuned(&out, cases, 0, 0, ""); err != nil {
		t.Errorf("1.1 is within the noise of 1/0.9: %v", err)
	}
	cases[0].run = func(int, time.Duration, time.Duration) (tunedResult, error) { return tunedResult{}, boom }
	if err := runTuned(&out, cases, 0, 0, ""); !errors.Is(err, boom) {
		t.Errorf("error %v, want boom", err)
	}
}
