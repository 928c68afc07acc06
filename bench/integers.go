package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/remyoudompheng/bigfft"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/intmul"
)

// integerPeer is a product of integers by another library: mul makes it, and value tells it.
type integerPeer struct {
	name, version string
	most          int // log2 of the words up to which it is measured
	mul           func()
	value         func() *big.Int
}

// integerPeers are the libraries in Go, and GMP with its tag, with the operands x and y. math/big has Karatsuba's
// algorithm and takes too long for more words.
func integerPeers(x, y *big.Int) []integerPeer {
	var plain, fast *big.Int = new(big.Int), nil
	const module = "github.com/remyoudompheng/bigfft"
	return append([]integerPeer{
		{"math/big", runtime.Version(), 16, func() { plain.Mul(x, y) }, func() *big.Int { return plain }},
		{module, version(module), 30, func() { fast = bigfft.Mul(x, y) }, func() *big.Int { return fast }},
	}, gmpIntegers(x, y)...)
}

// integers prints products of integers of 2^least to 2^most words beside those of peers, one JSON object a line.
func integers(w io.Writer, least, most int, budget time.Duration, commit string) error {
	if least < 0 || most < least || most > 22 {
		return fmt.Errorf("2^%d to 2^%d words, want 0 ≤ min ≤ max ≤ 22", least, most)
	}
	for k := least; k <= most; k++ {
		x, y := randomInteger(1<<k, 1), randomInteger(1<<k, 2)
		if err := besideIntegers(w, x, y, 1<<k, budget, commit, integerPeers(x, y)); err != nil {
			return err
		}
	}
	return nil
}

// randomInteger has so many words, the highest of them not 0.
func randomInteger(words int, seed uint64) *big.Int {
	r, list := rand.New(rand.NewPCG(seed, uint64(words))), make([]big.Word, words)
	for i := range list {
		list[i] = big.Word(r.Uint64())
	}
	list[words-1] |= 1
	return new(big.Int).SetBits(list)
}

// besideIntegers compares the product of x and y, of n words, with those of peers, and times all in turn.
func besideIntegers(w io.Writer, x, y *big.Int, n int, budget time.Duration, commit string, peers []integerPeer) error {
	var z big.Int
	reps := -1 // the first call is not timed
	calls := []func() error{func() error { reps++; intmul.Mul(&z, x, y); return nil }}
	if err := calls[0](); err != nil {
		return err
	}
	var some []integerPeer
	for _, p := range peers {
		if n > 1<<p.most {
			continue
		}
		p.mul()
		if z.Cmp(p.value()) != 0 {
			return fmt.Errorf("a product of %d words is not that of %s", n, p.name)
		}
		some = append(some, p)
		calls = append(calls, func() error { p.mul(); return nil })
	}
	best, err := inTurn(budget, 1, calls...)
	if err != nil {
		return err
	}
	for i, p := range some {
		res := result{Field: "integers", Op: "mul", N: n, Tier: cpu.Active().String(), NsMin: best[0], Peer: p.name,
			PeerVersion: p.version, PeerNsMin: best[i+1], Ratio: math.Round(1000*best[0]/best[i+1]) / 1000, Reps: reps,
			Go: runtime.Version(), CPU: benchjson.CPU(), Features: benchjson.Features(), Caches: benchjson.Caches(),
			Commit: commit, Date: benchjson.Now()}
		if err := json.NewEncoder(w).Encode(res); err != nil {
			return err
		}
	}
	return nil
}
