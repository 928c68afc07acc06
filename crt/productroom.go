package crt

import (
	"context"
	"reflect"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/poly"
)

// productRoom is the memory of a product of some lengths modulo some primes, and the plans of few primes. Most of the
// memory of Mul is here: without it a process that multiplies again and again spends much of its time in the collector,
// and waits for fresh pages.
type productRoom struct {
	s             *System
	primes        []uint64
	a, b          int // coefficients of the operands
	square        bool
	x, y, product [][]uint64 // residues, a row for each prime; of a square y is x
	rings         []*poly.Ring[uint64]
}

// productRooms are those that no product has, whoever made them.
var productRooms memory.Shelf[*productRoom]

// mostRings is the most primes whose plans are kept: they take several times as much memory as rows.
const mostRings = 8

// room returns that of a product of so many coefficients each.
func (s *System) room(a, b int, square bool) *productRoom {
	primes := s.Primes()
	m, ok := productRooms.Get(func(m *productRoom) bool {
		return m.a == a && m.b == b && m.square == square && slices.Equal(m.primes, primes) &&
			m.s.config.workers == s.config.workers && sameRunner(m.s.config.runner, s.config.runner)
	})
	if !ok {
		m = &productRoom{s: s, primes: primes, a: a, b: b, square: square}
		if len(primes) <= mostRings {
			m.rings = make([]*poly.Ring[uint64], len(primes))
		}
	}
	return m
}

// sameRunner reports whether a and b are one; runners that cannot be compared are not.
func sameRunner(a, b field.Runner) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// keep leaves the room to the next product.
func (m *productRoom) keep() { productRooms.Put(m) }

// makeRows makes what rows there are not yet, each by a worker of its own, which clears it.
func (m *productRoom) makeRows(ctx context.Context) error {
	if m.product != nil {
		return nil
	}
	k := len(m.primes)
	rows := make([][]uint64, 3*k)
	if err := m.s.across(len(rows), func(i int) error {
		switch i / k {
		case 0:
			rows[i] = make([]uint64, m.a)
		case 1:
			if !m.square {
				rows[i] = make([]uint64, m.b)
			}
		default:
			rows[i] = make([]uint64, m.a+m.b-1)
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	m.x, m.y, m.product = rows[:k], rows[k:2*k], rows[2*k:]
	if m.square {
		m.y = m.x
	}
	return nil
}

// ring is that of the polynomials modulo prime i, on some workers, always as many. Calls for other primes may run
// beside it.
func (m *productRoom) ring(i, workers int) (*poly.Ring[uint64], error) {
	if m.rings != nil && m.rings[i] != nil {
		return m.rings[i], nil
	}
	f, err := smallprime.New64(m.primes[i])
	if err != nil {
		return nil, err
	}
	r, err := poly.New(f, fft.WithWorkers(workers), fft.WithRunner(m.s.config.runner), fft.WithoutRangeCheck())
	if m.rings != nil && err == nil {
		m.rings[i] = r
	}
	return r, err
}
