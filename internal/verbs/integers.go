package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/midint"
)

// Integers is what is computed of two lists of integers of so many bits, each with each.
type Integers struct {
	Bits    int
	Mul     bool // and not add
	Low     bool // products modulo 2^Bits, as sums are
	Workers int
	Backend Backend
}

// integersAt is an engine, the name of its device, which is "" for the processor, and what closes that. Auto takes the
// device for products of batches of at least gpu.Crossover words: sums take less time than copies of their operands.
func integersAt(b Backend, workers, words int, mul bool) (*midint.Engine, string, func() error, error) {
	if b == GPU || b == Auto && mul && words >= gpu.Crossover(4) {
		d, err := gpu.Open(0)
		if err == nil {
			g, err := d.Integers()
			if err == nil {
				e, err := midint.New(midint.WithWorkers(workers), midint.WithDevice(g))
				return e, d.Info().Name, d.Close, err
			}
			return nil, "", nil, errors.Join(noDevice(err), d.Close())
		}
		if b == GPU || !without(err) {
			return nil, "", nil, noDevice(err)
		}
	}
	e, err := midint.New(midint.WithWorkers(workers))
	return e, "", func() error { return nil }, err
}

// Width is the bits of the results.
func (i Integers) Width() int {
	if i.Mul && !i.Low {
		return 2 * i.Bits
	}
	return i.Bits
}

// Run reads two lists of one length and computes.
func (i Integers) Run(ctx context.Context, a, b vecfile.Source) (v Values, err error) {
	if _, err := midint.New(midint.WithWorkers(i.Workers)); err != nil {
		return nil, err
	}
	bits := i.Width()
	x, n, err := i.read(a, -1)
	if err != nil {
		return nil, err
	}
	e, _, done, err := integersAt(i.Backend, i.Workers, len(x.Words()), i.Mul)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	y, _, err := i.read(b, n)
	if err != nil {
		return nil, err
	}
	z, err := midint.NewBatch(bits, n)
	if err != nil {
		return nil, err
	}
	switch {
	case !i.Mul:
		err = e.Add(ctx, z, x, y)
	case i.Low:
		err = e.MulLow(ctx, z, x, y)
	default:
		err = e.MulWide(ctx, z, x, y)
	}
	if err != nil {
		return nil, err
	}
	list := make([]big.Int, n)
	if err := z.Ints(pointers(list)); err != nil {
		return nil, err
	}
	return &values{integers{bits}, bulks.ViewOf(list)}, nil
}

// read reads a list, of n integers where that is not negative.
func (i Integers) read(s vecfile.Source, n int) (*midint.Batch, int, error) {
	const copies = 16 // of an integer in memory: numbers, batches and results twice as long
	if _, err := midint.NewBatch(i.Bits, 0); err != nil {
		return nil, 0, err
	}
	c := integers{i.Bits}
	s.Most = max(1, memory.Limit()/copies/(c.Size()+int(bigBytes)))
	x, err := vecfile.Read(c, s)
	if err != nil {
		return nil, 0, err
	}
	if n >= 0 && x.N != n {
		return nil, 0, fmt.Errorf("%s: %w: %d integers, want %d as in the other file", s.Name, field.ErrLength, x.N, n)
	}
	b, err := midint.NewBatch(i.Bits, x.N)
	if err == nil {
		err = b.SetInts(pointers(c.list(x)))
	}
	return b, x.N, err
}

func pointers(list []big.Int) []*big.Int {
	p := make([]*big.Int, len(list))
	for i := range list {
		p[i] = &list[i]
	}
	return p
}

// bigBytes is the memory of a big.Int beside its words.
const bigBytes = 40

// integers is the codec of integers of so many bits, in a slice of big.Int.
type integers struct{ bits int }

func (integers) list(x bulks.View) []big.Int { return bulks.SliceOf[big.Int](x) }

func (integers) Make(n int) bulks.View { return bulks.ViewOf(make([]big.Int, n)) }

func (c integers) Copy(z, x bulks.View) {
	from := c.list(x)
	for i := range from {
		c.list(z)[i].Set(&from[i])
	}
}

func (c integers) At(x bulks.View, i int) any { return &c.list(x)[i] }

func (integers) TextBase() int { return 10 }

func (c integers) Size() int { return c.bits / 8 }

func (c integers) PutBytes(b []byte, x any) {
	x.(*big.Int).FillBytes(b[:c.Size()])
	slices.Reverse(b[:c.Size()])
}

func (c integers) SetBytes(z any, b []byte) error {
	own := slices.Clone(b[:c.Size()])
	slices.Reverse(own)
	z.(*big.Int).SetBytes(own)
	return nil
}

func (integers) AppendText(b []byte, x any) []byte { return x.(*big.Int).Append(b, 10) }

func (c integers) SetText(z any, s []byte) error {
	v := z.(*big.Int)
	if _, ok := v.SetString(string(s), 10); !ok || v.BitLen() > c.bits {
		return fmt.Errorf("%w: %.40q, want at most %d bits", field.ErrRange, s, c.bits)
	}
	return nil
}
