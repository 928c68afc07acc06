package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"time"

	"github.com/galfft/fft/intmul"
)

// hugeOp is an operation on integers of n words: operands has the words that a program is told, and work returns the
// call that is timed and the numbers of its result.
type hugeOp struct {
	name string
	most int // log10 of the bits up to which it is measured: from there on, values take long to compare
	work func(a *intmul.Arithmetic, n int) (operands []*big.Int, call func() error, values func() []string)
}

// hugeOps are the operations of peers/peer.h on integers.
var hugeOps = []hugeOp{
	{"mul", 9, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, y, z := randomInteger(n, 1), randomInteger(n, 2), new(big.Int)
		return []*big.Int{x, y}, func() error { return a.Mul(context.Background(), z, x, y) },
			func() []string { return words(z, 2*n) }
	}},
	{"sqr", 9, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, z := randomInteger(n, 1), new(big.Int)
		return []*big.Int{x}, func() error { return a.Sqr(context.Background(), z, x) },
			func() []string { return words(z, 2*n) }
	}},
	{"quo", 8, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, y, q, r := randomInteger(2*n, 1), randomInteger(n, 2), new(big.Int), new(big.Int)
		return []*big.Int{x, y}, func() error { return a.QuoRem(context.Background(), q, r, x, y) },
			func() []string { return append(words(q, n+1), words(r, n)...) }
	}},
	{"sqrt", 8, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, z := randomInteger(n, 1), new(big.Int)
		return []*big.Int{x}, func() error { return a.Sqrt(context.Background(), z, x) },
			func() []string { return words(z, (n+1)/2) }
	}},
	{"text", 8, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, text := randomInteger(n, 1), []byte(nil)
		return []*big.Int{x}, func() (err error) {
			text, err = a.Append(context.Background(), nil, x, 10)
			return err
		}, func() []string { return []string{string(text)} }
	}},
	{"parse", 8, func(a *intmul.Arithmetic, n int) ([]*big.Int, func() error, func() []string) {
		x, z := randomInteger(n, 1), new(big.Int)
		text, failed := a.Append(context.Background(), nil, x, 10)
		return []*big.Int{x}, func() error { return errors.Join(failed, a.Parse(context.Background(), z, text, 10)) },
			func() []string { return words(z, n) }
	}},
}

// words returns the first n words of z.
func words(z *big.Int, n int) (list []string) {
	for i := range n { // highest words of 0 included
		w := big.Word(0)
		if words := z.Bits(); i < len(words) {
			w = words[i]
		}
		list = append(list, strconv.FormatUint(uint64(w), 10))
	}
	return list
}

// huge prints operations on integers of 10^least to 10^most bits beside those of programs, one JSON object a line.
func huge(w io.Writer, paths []string, least, most int, budget time.Duration, commit string) error {
	if least < 3 || most < least || most > 9 {
		return fmt.Errorf("10^%d to 10^%d bits, want 3 ≤ min ≤ max ≤ 9", least, most)
	}
	a, err := intmul.New()
	if err != nil {
		return err
	}
	for _, path := range paths {
		p, wait, err := start(path)
		if err != nil {
			return err
		}
		bits := 1
		for k := 1; k <= most && err == nil; k++ {
			if bits *= 10; k < least {
				continue
			}
			for _, op := range hugeOps {
				if k <= op.most && err == nil {
					err = besideHuge(w, a, p, op, (bits+63)/64, budget, commit)
				}
			}
		}
		if err := errors.Join(err, wait()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// hugeBits prints products of integers of 2^least to 2^most bits, two lengths for each power of two, as huge does.
func hugeBits(w io.Writer, paths []string, least, most int, budget time.Duration, commit string) error {
	if least < 7 || most < least || most > 30 {
		return fmt.Errorf("2^%d to 2^%d bits, want 7 ≤ min ≤ max ≤ 30", least, most)
	}
	a, err := intmul.New()
	if err != nil {
		return err
	}
	for _, path := range paths {
		p, wait, err := start(path)
		if err != nil {
			return err
		}
		for k := least; k <= most && err == nil; k++ {
			n := 1 << k / 64
			if err = besideHuge(w, a, p, hugeOps[0], n, budget, commit); err == nil && k < most {
				err = besideHuge(w, a, p, hugeOps[0], n+n/2, budget, commit)
			}
		}
		if err := errors.Join(err, wait()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// besideHuge prints one operation, where p has it.
func besideHuge(w io.Writer, a *intmul.Arithmetic, p *program, op hugeOp, n int, budget time.Duration,
	commit string) error {
	t := task{field: "integers", op: op.name, prime: "0", root: "0", n: n}
	if ok, err := p.open(&t); err != nil || !ok {
		return err
	}
	operands, call, values := op.work(a, n)
	t.call, t.values = call, values
	t.operands = func(text []byte) []byte {
		for _, x := range operands {
			for _, w := range x.Bits() {
				text = strconv.AppendUint(append(text, ' '), uint64(w), 10)
			}
		}
		return text
	}
	res, err := p.compare(t, budget)
	if err != nil {
		return err
	}
	res.Commit = commit
	return json.NewEncoder(w).Encode(res)
}
