package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/intmul"
)

// HugeCase is one measurement of integers.
type HugeCase struct {
	Op       string // one of HugeOps
	Bits     int    // of an operand, and of a quotient; at least 1
	Workers  int    // 1 to MaxWorkers
	Seed     uint64
	Reps     int           // samples; 0 stands for as many as fit Time, at least 3
	Time     time.Duration // for the samples, more than 0
	Progress func(done, total int)
}

// HugeOps lists the operations of HugeCase: products, squares, quotients and remainders of twice as many bits, square
// roots, and decimal digits written and read.
func HugeOps() []string { return []string{"mul", "sqr", "quo", "sqrt", "text", "parse"} }

// Bench measures an operation on random integers and proves its last result by other products.
//
// Errors are field.ErrSpec for another operation, for less than one bit or worker, for more than MaxWorkers, less than
// no samples and no time, and field.ErrMemory.
func (c HugeCase) Bench(ctx context.Context) (benchjson.Samples, error) {
	const copies = 16 // of an operand: operands, results, and what is between them
	if err := sampling(c.Workers, c.Reps, c.Time); err != nil {
		return nil, err
	}
	switch {
	case c.Bits < 1:
		return nil, fmt.Errorf("galfft: %w: %d bits, want at least 1", field.ErrSpec, c.Bits)
	case c.Bits/8 > memory.Limit()/copies:
		return nil, fmt.Errorf("galfft: %w: operations on integers of %d bits", field.ErrMemory, c.Bits)
	}
	runner, err := pin.New(c.Workers)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	a, err := intmul.New(intmul.WithWorkers(c.Workers), intmul.WithRunner(runner))
	if err != nil {
		return nil, err
	}
	var samples []benchjson.Sample
	pinned := runner.Do(func() {
		var op operation
		if op, err = c.operation(ctx, a); err == nil {
			samples, err = op.measure(ctx, c.Reps, c.Time, c.Progress)
		}
	})
	return samples, errors.Join(err, pinned)
}

// errProof is the error of a wrong result.
var errProof = fmt.Errorf("%w: integers", ErrWrong)

// operation returns what is measured. Checks multiply by math/big modulo a prime, or by what the operation is not made
// of.
func (c HugeCase) operation(ctx context.Context, a *intmul.Arithmetic) (operation, error) {
	r := rand.New(rand.NewPCG(c.Seed, uint64(c.Bits)))
	long := c.Bits
	if c.Op == "quo" {
		long *= 2
	}
	x, err := randomBits(ctx, r, long)
	if err != nil {
		return operation{}, err
	}
	y, err := randomBits(ctx, r, c.Bits)
	if err != nil {
		return operation{}, err
	}
	z, rest := new(big.Int), new(big.Int)
	check := func(ok func() bool) func() error {
		return func() error {
			if !ok() {
				return errProof
			}
			return nil
		}
	}
	switch c.Op {
	case "mul":
		return operation{elements: 1, run: func(ctx context.Context) error { return a.Mul(ctx, z, x, y) },
			check: check(func() bool { return congruent(z, x, y, rest) })}, nil
	case "sqr":
		return operation{elements: 1, run: func(ctx context.Context) error { return a.Sqr(ctx, z, x) },
			check: check(func() bool { return congruent(z, x, x, rest) })}, nil
	case "quo":
		return operation{elements: 1, run: func(ctx context.Context) error { return a.QuoRem(ctx, z, rest, x, y) },
			check: check(func() bool { return rest.Cmp(y) < 0 && congruent(x, z, y, rest) })}, nil
	case "sqrt":
		return operation{elements: 1, run: func(ctx context.Context) error { return a.Sqrt(ctx, z, x) },
			check: func() error {
				if err := a.Sqr(ctx, rest, z); err != nil {
					return err
				}
				rest.Sub(x, rest)
				return check(func() bool { return rest.Sign() >= 0 && rest.Cmp(new(big.Int).Lsh(z, 1)) <= 0 })()
			}}, nil
	case "text", "parse":
		text, err := a.Append(ctx, nil, x, 10)
		if err != nil {
			return operation{}, err
		}
		op := operation{elements: 1, run: func(ctx context.Context) error { return a.Parse(ctx, z, text, 10) },
			check: check(func() bool { return z.Cmp(x) == 0 })}
		if c.Op == "text" {
			text = nil
			op.run = func(ctx context.Context) (err error) {
				text, err = a.Append(ctx, text[:0], x, 10)
				return err
			}
			op.check = func() error {
				if err := a.Parse(ctx, z, text, 10); err != nil || z.Cmp(x) != 0 {
					return errors.Join(errProof, err)
				}
				return nil
			}
		}
		return op, nil
	}
	return operation{}, fmt.Errorf("galfft: %w: operation %q on integers, want one of %q", field.ErrSpec, c.Op, HugeOps())
}

// congruent reports whether z is x·y + rest modulo two primes.
func congruent(z, x, y, rest *big.Int) bool {
	for _, p := range []int64{1<<61 - 1, 1<<62 - 57} {
		q := big.NewInt(p)
		u, v := new(big.Int).Rem(x, q), new(big.Int).Rem(y, q)
		u.Add(u.Mul(u, v), rest).Sub(u, z)
		if u.Rem(u, q).Sign() != 0 {
			return false
		}
	}
	return true
}

// randomBits returns an integer of so many bits, at least one.
func randomBits(ctx context.Context, r *rand.Rand, n int) (*big.Int, error) {
	const look = 1 << 16 // words between two looks at the context
	words := make([]big.Word, (n-1)/bits.UintSize+1)
	for i := range words {
		if i%look == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		words[i] = big.Word(r.Uint64())
	}
	top, over := &words[len(words)-1], uint(len(words)*bits.UintSize-n)
	*top = (*top | 1<<(bits.UintSize-1)) >> over
	return new(big.Int).SetBits(words), nil
}
