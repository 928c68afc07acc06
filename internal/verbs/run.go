package verbs

import (
	"context"
	"fmt"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/vecfile"
)

// Transform is what Run computes.
type Transform struct {
	Op    string // one of TransformOps
	Shift string // the text of an element where Shifted says that Op takes one; not 0 but over affine domains
}

// points are those at which a transform evaluates.
type points int

const (
	cyclic     points = iota // the powers of the root
	coset                    // these times a shift
	negacyclic               // the n-th roots of −1
)

type transformOp struct {
	name    string
	points  points
	inverse bool // from values to the polynomial
}

var transformOps = []transformOp{
	{"forward", cyclic, false}, {"inverse", cyclic, true},
	{"coset", coset, false}, {"inverse-coset", coset, true},
	{"negacyclic", negacyclic, false}, {"inverse-negacyclic", negacyclic, true},
}

// TransformOps lists the operations of Run.
func TransformOps() []string {
	names := make([]string, len(transformOps))
	for i, op := range transformOps {
		names[i] = op.name
	}
	return names
}

// Shifted reports whether an operation of Run takes a shift.
func Shifted(op string) bool {
	o, ok := opOf(op)
	return ok && o.points == coset
}

func opOf(name string) (op transformOp, ok bool) {
	i := slices.IndexFunc(transformOps, func(op transformOp) bool { return op.name == name })
	if i < 0 {
		return op, false
	}
	return transformOps[i], true
}

// runVectors is the number of vectors of its length that a transform takes: its own, two of tables and one of scratch.
const runVectors = 4

func (h *hidden) Run(ctx context.Context, t Transform, src vecfile.Source, opt Options) (Values, error) {
	if err := h.needCodec(); err != nil {
		return nil, err
	}
	op, more, err := h.points(t)
	if err != nil {
		return nil, err
	}
	src.Most = h.most(runVectors)
	x, err := vecfile.Read(h.f, src)
	if err != nil {
		return nil, err
	}
	p, err := h.plan(ctx, x.N, opt, more...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	if err := p.Bind(op.inverse, x, x)(ctx); err != nil {
		return nil, err
	}
	return &values{h.f, x}, nil
}

// points is an operation with the options of its plan.
func (h *hidden) points(t Transform) (op transformOp, more []fft.Option, err error) {
	op, ok := opOf(t.Op)
	if !ok {
		return op, nil, fmt.Errorf("galfft: %w: operation %q, want one of %q", field.ErrSpec, t.Op, TransformOps())
	}
	switch op.points {
	case coset:
		shift := h.zero()
		if err := vecfile.ParseText(h.f, shift, t.Shift); err != nil {
			return op, nil, fmt.Errorf("galfft: %w: shift %q: %w", field.ErrSpec, t.Shift, err)
		}
		if err := h.f.Inv(h.zero(), shift); err != nil && !h.f.Subspaces() {
			return op, nil, fmt.Errorf("galfft: %w: shift %s: %w", field.ErrSpec, t.Shift, err)
		}
		more = append(more, h.f.Coset(shift))
	case negacyclic:
		more = append(more, fft.WithNegacyclic())
	}
	return op, more, nil
}
