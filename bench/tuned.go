package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/tune"
)

// tunedResult is a tuned plan beside the default one, for one field and length.
type tunedResult struct {
	Field    string  `json:"field"`
	N        int     `json:"n"`
	Line     string  `json:"line"` // of the table
	NsMin    float64 `json:"ns_min"`
	TunedMin float64 `json:"tuned_ns_min"`
	Ratio    float64 `json:"ratio"`  // tuned over default, the median of rounds
	Noise    float64 `json:"noise"`  // by which a second default plan differs from the first in the worst round
	Slower   bool    `json:"slower"` // beyond the noise
	Rounds   int     `json:"rounds"`
	Tier     string  `json:"tier"`
	Go       string  `json:"go"`
	CPU      string  `json:"cpu"`
	Caches   string  `json:"caches"`
	Commit   string  `json:"commit"`
	Date     string  `json:"date"`
}

// tunedCase tunes a field for a length, and compares.
type tunedCase struct {
	field string
	log   int
	run   func(n int, limit, budget time.Duration) (tunedResult, error)
}

// tunedCases are twenty pairs of a field and a length up to 2^most, of those whose name contains the filter.
func tunedCases(most int, filter string) (list []tunedCase) {
	add := func(c tunedCase) {
		if c.log <= most && strings.Contains(fmt.Sprintf("%s 2^%d", c.field, c.log), filter) {
			list = append(list, c)
		}
	}
	for _, log := range []int{8, 12, 16, 18} {
		add(tunedOver(smallprime.BabyBear(), log))
		add(tunedOver(smallprime.P50(), log))
		add(tunedOver(smallprime.P62(), log))
		add(tunedOver(smallprime.Goldilocks(), log))
	}
	for _, log := range []int{8, 12} {
		add(tunedOver(gfpf.K8(), log))
		add(tunedOver(bigprime.BN254(), log))
	}
	return list
}

func tunedOver[E any](f ours[E], log int) tunedCase {
	return tunedCase{f.Name(), log, func(n int, limit, budget time.Duration) (res tunedResult, err error) {
		t, err := tune.Measure[E](context.Background(), f, tune.Options{Lengths: []int{n}, Effort: tune.Thorough,
			TimeLimit: limit})
		if err != nil {
			return res, err
		}
		res = tunedResult{Field: f.Name(), N: n, Line: strings.Join(t.Lines(), ""), Tier: cpu.Active().String(),
			Go: runtime.Version(), CPU: benchjson.CPU(), Caches: benchjson.Caches(),
			Date: benchjson.Now()}
		x := random(f, n)
		return res, res.compare(budget, max(1, 1<<14/n), func() (calls []func() error, err error) {
			for _, tuning := range []fft.Tuning{nil, t, nil} {
				p, err := fft.NewPlan[E](f, n, fft.WithTuning(tuning))
				if err != nil {
					return nil, err
				}
				calls = append(calls, func() error { return p.Forward(x, x) })
			}
			return calls, nil
		})
	}}
}

// rounds is the number of ratios behind a result; an odd one.
const rounds = 15

// compare runs a default plan, the tuned one and a second default plan in turn, reps calls of each together. Each round
// has new ones: where in memory their tables lie makes a percent, which is noise too.
func (r *tunedResult) compare(budget time.Duration, reps int, plans func() ([]func() error, error)) error {
	r.NsMin, r.TunedMin, r.Rounds = math.Inf(1), math.Inf(1), rounds
	var tuned, again []float64
	for range rounds {
		calls, err := plans()
		if err != nil {
			return err
		}
		best, err := inTurn(budget/rounds, reps, calls...)
		if err != nil {
			return err
		}
		r.NsMin, r.TunedMin = min(r.NsMin, best[0], best[2]), min(r.TunedMin, best[1])
		tuned, again = append(tuned, best[1]/math.Sqrt(best[0]*best[2])), append(again, best[2]/best[0])
	}
	r.judge(tuned, again)
	return nil
}

// judge sets what follows from the ratios of rounds: tuned over default, and default over default.
func (r *tunedResult) judge(tuned, again []float64) {
	slices.Sort(tuned)
	r.Ratio = tuned[len(tuned)/2]
	for _, v := range again {
		r.Noise = max(r.Noise, math.Abs(math.Log(v)))
	}
	r.Slower = math.Log(r.Ratio) > r.Noise
	r.Ratio, r.Noise = math.Round(1000*r.Ratio)/1000, math.Round(1000*r.Noise)/1000
}

// runTuned prints a line for each case. It is an error where a tuned plan is slower beyond the noise.
func runTuned(w io.Writer, cases []tunedCase, limit, budget time.Duration, commit string) error {
	slower := 0
	for _, c := range cases {
		res, err := c.run(1<<c.log, limit, budget)
		if err != nil {
			return fmt.Errorf("%s, length 2^%d: %w", c.field, c.log, err)
		}
		res.Commit = commit
		if res.Slower {
			slower++
		}
		if err := json.NewEncoder(w).Encode(res); err != nil {
			return err
		}
	}
	if slower > 0 {
		return fmt.Errorf("%d of %d tuned plans are slower than the default, beyond the noise", slower, len(cases))
	}
	return nil
}
