package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/midint/literal"
)

// hostCall is what the processor does, whose result is in z.
func hostCall(version string, do func() error, z []uint32) *midintCall {
	return &midintCall{device: benchjson.CPU(), residency: "host", version: version,
		run: func() (float64, error) {
			start := time.Now()
			err := do()
			return float64(time.Since(start)), err
		},
		result: func() ([]uint32, error) { return z, nil }}
}

// midintOurs is package midint on the processor.
func midintOurs(c *midintCase) (*midintCall, error) {
	e, err := midint.New(midint.WithWorkers(c.workers))
	if err != nil {
		return nil, err
	}
	do, z, err := midintDo(e, c)
	if err != nil {
		return nil, err
	}
	return hostCall(runtime.Version(), do, z.Words()), nil
}

// midintCompiled is the polynomial as one program of package midint.
func midintCompiled(c *midintCase) (*midintCall, error) {
	if c.op != "poly" {
		return nil, fmt.Errorf("%w: the polynomial alone is a program", errAbsent)
	}
	e, err := midint.New(midint.WithWorkers(c.workers))
	if err != nil {
		return nil, err
	}
	p, err := e.Compile(midintPoly(), c.bits, 0)
	if err != nil {
		return nil, err
	}
	z, err := midint.NewBatch(c.bits, c.x.Len())
	if err != nil {
		return nil, err
	}
	return hostCall(runtime.Version(), func() error { return p.Run(context.Background(), z, c.x, c.y) }, z.Words()), nil
}

// midintPoly is the polynomial.
func midintPoly() *midint.Expr {
	a, b := midint.Operand(0), midint.Operand(1)
	return a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b))
}

// midintDo is the operation by an engine on batches of the host, with its result.
func midintDo(e *midint.Engine, c *midintCase) (do func() error, z *midint.Batch, err error) {
	ctx, x, y := context.Background(), c.x, c.y
	z, err = midint.NewBatch(c.wide()*c.bits, x.Len())
	if err != nil {
		return nil, nil, err
	}
	switch c.op {
	case "copy":
		return func() error { copy(z.Words(), x.Words()); return nil }, z, nil
	case "add":
		return func() error { return e.Add(ctx, z, x, y) }, z, nil
	case "sixadd":
		return func() error { return e.SixAdd(ctx, z, x, y) }, z, nil
	case "mullow":
		return func() error { return e.MulLow(ctx, z, x, y) }, z, nil
	case "mulwide":
		return func() error { return e.MulWide(ctx, z, x, y) }, z, nil
	case "sqr":
		return func() error { return e.Sqr(ctx, z, x) }, z, nil
	case "cyclic32", "cyclic64":
		return nil, nil, fmt.Errorf("%w: no product", errAbsent)
	}
	t, err := midint.NewBatch(c.bits, x.Len())
	if err != nil {
		return nil, nil, err
	}
	return func() error { // (x² + y)(y² + y) + xy
		for _, step := range []func() error{
			func() error { return e.Sqr(ctx, z, x) },
			func() error { return e.Add(ctx, z, z, y) },
			func() error { return e.Sqr(ctx, t, y) },
			func() error { return e.Add(ctx, t, t, y) },
			func() error { return e.MulLow(ctx, z, z, t) },
			func() error { return e.MulLow(ctx, t, x, y) },
			func() error { return e.Add(ctx, z, z, t) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	}, z, nil
}

// mostLiteral is the most products of words of 32 bits for which the paper's kernels run on a processor.
const mostLiteral = 1 << 27

// midintLiteral is the paper's kernels in Go, a loop over threads for a block, with words of 32 bits and Q = 4 in all.
func midintLiteral(c *midintCase) (*midintCall, error) {
	x, y, m := c.x.Words(), c.y.Words(), c.bits/32
	z := make([]uint32, len(x))
	shape := literal.Shape{M: m, Q: 4, Instances: max(1, 256/m)}
	half := shape
	half.Q = 2 // in each of a thread's two runs of columns
	var do func() error
	switch c.op {
	case "add":
		do = func() error { return literal.Add(z, x, y, shape) }
	case "sixadd":
		do = func() error { return literal.SixAdd(z, x, y, shape) }
	case "mullow":
		do = func() error { return literal.Mul(z, x, y, half) }
	case "poly":
		do = func() error { return literal.Poly(z, x, y, half) }
	default:
		return nil, fmt.Errorf("%w: no such operation", errAbsent)
	}
	switch {
	case c.workers > 1:
		return nil, fmt.Errorf("%w: one worker alone", errAbsent)
	case (c.op == "mullow" || c.op == "poly") && len(x)*m > mostLiteral || len(x) > mostLiteral:
		return nil, fmt.Errorf("%w: too long for a processor", errAbsent)
	}
	return hostCall(runtime.Version(), do, z), nil
}
