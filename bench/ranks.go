package main

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"runtime"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/smallprime"
)

// rankModel foretells a transform of 2^log words on so many ranks: each transforms its part, and then sends all of it
// but a part in Size, while nothing else runs.
type rankModel struct {
	log, ranks int
	own        float64 // s that a rank takes for a transform of its part's length, alone
	rate       float64 // bytes/s that leave a rank while all do
}

// part is the points of a rank.
func (m rankModel) part() float64 { return float64(int(1)<<m.log) / float64(m.ranks) }

// sent is the bytes that leave a rank in an exchange.
func (m rankModel) sent() float64 { return 8 * m.part() * float64(m.ranks-1) / float64(m.ranks) }

// layers is the time of a rank for all layers: those of its part's length take own.
func (m rankModel) layers() float64 {
	short := m.log - bits.Len(uint(m.ranks)) + 1
	return m.own * float64(m.log) / float64(short)
}

// time is that of exchanges in a row with the layers of as many transforms.
func (m rankModel) time() float64 { return m.layers() + m.sent()/m.rate }

// measuredRanks is the least times of one plan with one worker, of a copy of as many bytes, and of ranks of
// this process.
func measuredRanks(log, ranks int, budget time.Duration) (own, rate, several float64, err error) {
	ctx, f, n := context.Background(), smallprime.Goldilocks(), 1<<log
	least := func(do func() error) (float64, error) {
		best := 0.0
		for start := time.Now(); best == 0 || time.Since(start) < budget; {
			begin := time.Now()
			if err := do(); err != nil {
				return 0, err
			}
			if t := time.Since(begin).Seconds(); best == 0 || t < best {
				best = t
			}
		}
		return best, nil
	}
	p, err := fft.NewPlan(f, n/ranks, fft.WithWorkers(1))
	if err != nil {
		return 0, 0, 0, err
	}
	v, err := p.NewVec()
	if err != nil {
		return 0, 0, 0, err
	}
	if own, err = least(func() error { return p.ForwardVec(ctx, v) }); err != nil {
		return 0, 0, 0, err
	}
	x, y := make([]uint64, n/ranks), make([]uint64, n/ranks)
	copied, _ := least(func() error { copy(y, x); return nil })
	ends, err := dist.Local(ranks)
	if err != nil {
		return 0, 0, 0, err
	}
	const times = 10
	err = dist.Run(ends, func(g dist.Group) error {
		exchanging := struct{ dist.Group }{g} // as processes do
		q, err := dist.NewPlan(ctx, exchanging, f, n, dist.Blocks{})
		if err != nil {
			return err
		}
		w, err := q.NewVec()
		for i := 0; i < times && err == nil; i++ {
			begin := time.Now()
			err = q.ForwardVec(ctx, w)
			if t := time.Since(begin).Seconds(); g.Rank() == 0 && (several == 0 || t < several) {
				several = t
			}
		}
		return err
	})
	return own, 8 * float64(n/ranks) / copied, several, err
}

// The reckoning is of 2^36 words, as points of GF(2^64) or of a prime of 64 bits. cardOwn is the time of one H100 for
// 2^30 words that stay there (bench/results, *-cards.txt).
const (
	reckoned = 36
	cardOwn  = .0329
)

// reckonRanks holds the model against ranks of this machine, and writes what it foretells of 2^36 points.
func reckonRanks(w io.Writer, most int, budget time.Duration, commit string) error {
	fmt.Fprintf(w, "%s, commit %s, %d processors\n", time.Now().Format(time.DateTime), commit, runtime.NumCPU())
	var here rankModel
	for ranks := 2; ranks <= max(2, min(runtime.NumCPU(), 16)); ranks *= 2 {
		own, rate, several, err := measuredRanks(most, ranks, budget)
		if err != nil {
			return err
		}
		m := rankModel{most, ranks, own, rate}
		if ranks == 2 {
			here = m
		}
		fmt.Fprintf(w, "2^%d points, local:%d: foretold %.1f ms (layers %.1f, exchange %.1f), measured %.1f, ratio %.2f\n", most,
			ranks, 1e3*m.time(), 1e3*m.layers(), 1e3*(m.time()-m.layers()), 1e3*several, several/m.time())
	}
	short := float64(here.log - 1) // layers of a part
	for _, c := range []struct {
		name  string
		ranks int
		own   func(log int) float64 // of a transform of 2^log points
		parts float64               // of memory
	}{
		{"H100", 64, func(log int) float64 { return cardOwn * float64(log) / 30 * float64(int(1)<<log) / (1 << 30) }, 4},
		{"processor rank", 1024, func(log int) float64 {
			return here.own * float64(log) / short * float64(int(1)<<log) / here.part()
		}, 2.1},
	} {
		log := reckoned - bits.Len(uint(c.ranks)) + 1
		for _, rate := range []float64{12.5e9, 50e9, 200e9} {
			m := rankModel{reckoned, c.ranks, c.own(log), rate}
			fmt.Fprintf(w, "2^%d points, %d × %s: a part of %.2f GB, memory %.2f GB; an exchange sends %.2f GB a rank; "+
				"at %.1f GB/s a transform takes %.3f s (layers %.3f, one exchange %.3f), a product 3 exchanges, monomial "+
				"coefficients up to %d more\n", reckoned, c.ranks, c.name, 8*m.part()/1e9, 8*c.parts*m.part()/1e9, m.sent()/1e9,
				rate/1e9, m.time(), m.layers(), m.time()-m.layers(), reckoned)
		}
	}
	return nil
}
