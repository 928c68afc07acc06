package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/remyoudompheng/bigfft"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/poly"
)

// integerProduct multiplies positive integers of up to n words as polynomials in 2^32, modulo two primes p < q of 50
// bits. Coefficients are below 2n·2^64, and so below pq.
type integerProduct struct {
	rings   [2]*poly.Ring[uint64]
	p       uint64
	q       *smallprime.Field64
	inverse []uint64 // of p modulo q, as often as there are coefficients
	x, y    []uint64
	c       [2][]uint64 // coefficients modulo p and q
	words   []big.Word
}

func newIntegerProduct(n int) (*integerProduct, error) {
	primes, err := crt.Primes(context.Background(), 50, 26, 2) // the largest first
	if err != nil {
		return nil, err
	}
	m := &integerProduct{p: primes[1], x: make([]uint64, 2*n), y: make([]uint64, 2*n), words: make([]big.Word, 2*n)}
	for i, prime := range []uint64{primes[1], primes[0]} {
		if m.q, err = smallprime.New64(prime); err != nil {
			return nil, err
		}
		if m.rings[i], err = poly.New(m.q); err != nil {
			return nil, err
		}
		m.c[i] = make([]uint64, 4*n-1)
	}
	m.inverse = make([]uint64, 4*n-1)
	if err := m.q.Inv(&m.inverse[0], &m.p); err != nil {
		return nil, err
	}
	for i := range m.inverse {
		m.inverse[i] = m.inverse[0]
	}
	return m, nil
}

// halves sets half to the lower and the higher half of each word of x.
func halves(half []uint64, x *big.Int) {
	clear(half[2*len(x.Bits()):])
	for i, w := range x.Bits() {
		half[2*i], half[2*i+1] = uint64(uint32(w)), uint64(w)>>32
	}
}

// mul sets z = xy, which has the memory of m from then on.
func (m *integerProduct) mul(z, x, y *big.Int) error {
	halves(m.x, x)
	halves(m.y, y)
	for i, r := range m.rings {
		if err := r.MulTo(context.Background(), m.c[i], m.x, m.y); err != nil {
			return err
		}
	}
	// A coefficient is a + pd, where a is that modulo p, and d = (b − a)/p modulo q for b, that modulo q.
	a, d := m.c[0], m.c[1]
	m.q.SubVec(d, d, a)
	m.q.MulVec(d, d, m.inverse)
	var hi, lo uint64 // carried
	for i := range a {
		h, l := bits.Mul64(m.p, d[i])
		l, carry := bits.Add64(l, a[i], 0)
		h += carry
		lo, carry = bits.Add64(lo, l, 0)
		hi += h + carry
		if w := big.Word(uint32(lo)); i%2 == 0 {
			m.words[i/2] = w
		} else {
			m.words[i/2] |= w << 32
		}
		lo, hi = lo>>32|hi<<32, hi>>32
	}
	m.words[len(m.words)-1] |= big.Word(lo) << 32
	z.SetBits(m.words)
	return nil
}

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
	m, err := newIntegerProduct(n)
	if err != nil {
		return err
	}
	var z big.Int
	reps := -1 // the first call is not timed
	calls := []func() error{func() error { reps++; return m.mul(&z, x, y) }}
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
