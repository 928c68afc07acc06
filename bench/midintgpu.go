package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/galfft/fft/bench/midliteral"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/midint/literal"
)

// midintCard is a device for columns, which all share, with a stream of their own. It stays open.
type midintCard struct {
	d          *device.Device
	integers   *gpu.Integers
	literal    *midliteral.Kernels
	queue      *gpu.Queue
	stream     *device.Stream
	start, end *driver.Event
	operands   []field.Vec // x and y of the last case
}

// openCard opens the device once.
var openCard = sync.OnceValues(func() (*midintCard, error) {
	opened, err := gpu.Open(0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errAbsent, err)
	}
	card := &midintCard{d: (*device.Device)(opened)}
	if card.integers, err = opened.Integers(); err != nil {
		return nil, err
	}
	if card.literal, err = midliteral.New(card.d); err != nil {
		return nil, err
	}
	queue, err := card.d.NewQueue()
	if err != nil {
		return nil, err
	}
	card.stream = queue.Stream()
	if card.queue, err = opened.QueueOf(queue.Show()); err != nil {
		return nil, err
	}
	if card.start, err = card.d.Driver().NewTimer(); err != nil {
		return nil, err
	}
	card.end, err = card.d.Driver().NewTimer()
	return card, err
})

// vectors are a result of so many widths, the operands, which cases of as many words share, and one more as long as
// these.
func (d *midintCard) vectors(c *midintCase, wide int) ([]field.Vec, error) {
	words := len(c.x.Words())
	if d.operands == nil || d.operands[0].Len() != words {
		for _, v := range d.operands {
			if err := v.Close(); err != nil {
				return nil, err
			}
		}
		d.operands = nil
		for _, from := range [][]uint32{c.x.Words(), c.y.Words()} {
			v, err := d.integers.NewVecIn(d.queue, words)
			if err == nil {
				d.operands = append(d.operands, v)
				err = d.integers.LoadVec(v, from)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	z, err := d.integers.NewVecIn(d.queue, wide*words)
	if err != nil {
		return nil, err
	}
	t, err := d.integers.NewVecIn(d.queue, words)
	if err != nil {
		return nil, err
	}
	return []field.Vec{z, d.operands[0], d.operands[1], t}, nil
}

// timed is the ns of a call between two events, behind another one, so that no launch waits for the host; long is a
// call that takes so long that this does not matter, which has none before.
func (d *midintCard) timed(on *device.Stream, long bool, do func() error) (float64, error) {
	steps := []func() error{do, func() error { return d.start.Record(on) }, do,
		func() error { return d.end.Record(on) }, d.end.Wait}
	if long {
		steps = steps[1:]
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return 0, err
		}
	}
	ms, err := driver.Milliseconds(d.start, d.end)
	return ms * 1e6, err
}

// longCall is the ns of a call that is timed alone.
const longCall = 10e6

// call is a case on vectors, of which the first has the result; do puts it on the stream of the queue.
func (d *midintCard) call(version string, on *device.Stream, v []field.Vec, do func() error) *midintCall {
	var last float64
	return &midintCall{device: d.d.Info().Name, residency: "device", version: version,
		run: func() (float64, error) {
			ns, err := d.timed(on, last > longCall, do)
			last = ns
			return ns, err
		},
		result: func() ([]uint32, error) {
			z := make([]uint32, v[0].Len())
			return z, d.integers.StoreVec(z, v[0])
		},
		close: func() {
			for _, one := range []field.Vec{v[0], v[3]} { // cases share the operands
				if err := one.Close(); err != nil {
					panic(err) // of a device that is lost, which calls have said before
				}
			}
		}}
}

// midintDevice is package gpu on batches that stay on the device.
func midintDevice(c *midintCase) (*midintCall, error) {
	card, err := cardFor(c)
	if err != nil {
		return nil, err
	}
	v, err := card.vectors(c, c.wide())
	if err != nil {
		return nil, err
	}
	z, x, y := v[0], v[1], v[2]
	const add, six, same, mul = 0, 3, 4, 5 // operations of gpu.Integers
	step := func(op int, z, x, y field.Vec) error {
		return card.integers.ComputeVec(context.Background(), op, z, x, y, c.bits)
	}
	var do func() error
	switch c.op {
	case "add":
		do = func() error { return step(add, z, x, y) }
	case "sixadd":
		do = func() error { return step(six, z, x, y) }
	case "copy":
		do = func() error { return step(same, z, x, x) }
	case "mullow", "mulwide":
		do = func() error { return step(mul, z, x, y) }
	case "sqr":
		do = func() error { return step(mul, z, x, x) }
	case "poly": // (x² + y)(y² + y) + xy
		do, err = card.poly(c, z, x, y)
		if err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: no product", errAbsent)
	}
	return card.call(card.integers.Explain(c.bits), card.stream, v, do), nil
}

// poly is (x² + y)(y² + y) + xy as one program of package midint.
func (d *midintCard) poly(c *midintCase, z, x, y field.Vec) (do func() error, err error) {
	e, err := midint.New(midint.WithDevice(d.integers))
	if err != nil {
		return nil, err
	}
	p, err := e.Compile(midintPoly(), c.bits, 0)
	if err != nil {
		return nil, err
	}
	steps := p.Steps()
	return func() error {
		return d.integers.ProgramVec(context.Background(), steps, z, []field.Vec{x, y}, c.bits)
	}, nil
}

// midintCalls is the polynomial by package gpu, as written and by separate calls.
func midintCalls(c *midintCase) (*midintCall, error) {
	if c.op != "poly" {
		return nil, fmt.Errorf("%w: the polynomial alone has several calls", errAbsent)
	}
	card, err := cardFor(c)
	if err != nil {
		return nil, err
	}
	v, err := card.vectors(c, 1)
	if err != nil {
		return nil, err
	}
	z, x, y, t := v[0], v[1], v[2], v[3]
	const add, mul = 0, 5 // operations of gpu.Integers
	step := func(op int, z, x, y field.Vec) error {
		return card.integers.ComputeVec(context.Background(), op, z, x, y, c.bits)
	}
	return card.call(card.integers.Explain(c.bits), card.stream, v, func() error {
		return errors.Join(step(mul, z, x, x), step(add, z, z, y), step(mul, t, y, y), step(add, t, t, y),
			step(mul, z, z, t), step(mul, t, x, y), step(add, z, z, t))
	}), nil
}

// cardFor is the device, for the first number of workers.
func cardFor(c *midintCase) (*midintCard, error) {
	if c.again {
		return nil, fmt.Errorf("%w: one call alone", errAbsent)
	}
	return openCard()
}

// literalStep is a launch, on vectors by their places: the result, x, y, and one more.
type literalStep struct {
	op      midliteral.Op
	z, x, y int
}

// literalSteps are the operations by the paper's kernels.
var literalSteps = map[string][]literalStep{
	"add":    {{midliteral.Add, 0, 1, 2}},
	"sixadd": {{midliteral.SixAdd, 0, 1, 2}},
	"mullow": {{midliteral.Mul, 0, 1, 2}},
	"poly":   {{midliteral.Poly, 0, 1, 2}},
}

// separateSteps is (x² + y)(y² + y) + xy by launches of their own, and tiledSteps the product by tiles.
var (
	separateSteps = map[string][]literalStep{
		"poly": {{midliteral.Mul, 0, 1, 1}, {midliteral.Add, 0, 0, 2}, {midliteral.Mul, 3, 2, 2},
			{midliteral.Add, 3, 3, 2}, {midliteral.Mul, 0, 0, 3}, {midliteral.Mul, 3, 1, 2}, {midliteral.Add, 0, 0, 3}}}
	tiledSteps = map[string][]literalStep{"mullow": {{midliteral.Tiled, 0, 1, 2}}}
)

// midintOnCard is the paper's kernels on a device, with words of so many bits and Q in all for a thread.
func midintOnCard(bits, q int, all map[string][]literalStep) func(c *midintCase) (*midintCall, error) {
	return func(c *midintCase) (*midintCall, error) {
		card, err := cardFor(c)
		if err != nil {
			return nil, err
		}
		m := c.bits / bits
		s := literal.Shape{M: m, Q: q, Instances: max(1, 256*q/max(m, 1)/2)}
		steps, known := all[c.op]
		switch {
		case !known:
			return nil, fmt.Errorf("%w: no such operation", errAbsent)
		case c.bits%bits != 0:
			return nil, fmt.Errorf("%w: %d bits are no whole words", errAbsent, c.bits)
		}
		v, err := card.vectors(c, 1)
		if err != nil {
			return nil, err
		}
		var at [4]uint64
		for i, one := range v {
			p, err := gpu.Pointer(one)
			if err != nil {
				return nil, err
			}
			at[i] = uint64(p)
		}
		do := func() error {
			for _, l := range steps {
				of := s
				if l.op == midliteral.Mul || l.op == midliteral.Poly {
					of.Q = q / 2 // in each of a thread's two runs of columns
				}
				n := len(c.x.Words()) * 32 / bits
				if err := card.literal.Launch(card.stream, l.op, bits, of, at[l.z], at[l.x], at[l.y], n); err != nil {
					return err
				}
			}
			return nil
		}
		call := card.call(fmt.Sprintf("Q = %d, %d integers of a block", q, s.Instances), card.stream, v, do)
		if err := do(); err != nil { // a shape that no block has is found here
			call.close()
			if errors.Is(err, field.ErrSpec) {
				return nil, fmt.Errorf("%w: %w", errAbsent, err)
			}
			return nil, err
		}
		return call, nil
	}
}

// midintWaits are the operations whose latency is measured, and what one thread does for each.
var midintWaits = []string{"latency of x + (v ⊕ x)", "latency of v·x + 1", "latency of x mod (v | 1)"}

// midintLatency has a line for each operation on words of 32 and of 64 bits: ns of one that waits for the one before,
// of which Batch are one after the other.
func midintLatency(s *settings) (lines []midintLine, err error) {
	const count = 1 << 16
	card, err := openCard()
	if err != nil && !errors.Is(err, errAbsent) {
		return nil, err
	}
	for _, bits := range []int{32, 64} {
		for op, name := range midintWaits {
			l := newMidintLine(s, name, bits, count, "one thread on a device", 1)
			if err != nil {
				l.Absent = strings.TrimPrefix(err.Error(), errAbsent.Error()+": ")
				lines = append(lines, l)
				continue
			}
			m, err := card.d.Make(8)
			if err != nil {
				return nil, err
			}
			call := midintCall{device: card.d.Info().Name, residency: "device", run: func() (float64, error) {
				return card.timed(card.stream, false, func() error {
					return card.literal.Wait(card.stream, op, bits, m.At, count, 0x9e3779b1)
				})
			}}
			one := []midintLine{l}
			if err := errors.Join(midintTimes([]*midintCall{&call}, one, s.budget), m.Release()); err != nil {
				return nil, err
			}
			l = one[0]
			l.Device, l.Residency = call.device, call.residency
			l.NsMedian, l.NsMin = l.NsMedian/count, l.NsMin/count
			lines = append(lines, l)
		}
	}
	return lines, nil
}
