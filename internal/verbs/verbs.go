// Package verbs does the work of the command, one file a verb, over a field whose element type the caller does
// not know. [Of] hides the type: a registry of names holds fields of any element type, and a new one joins it
// in one line.
package verbs

import (
	"context"
	"errors"
	"io"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/tune"
)

// Field is a field with its element type hidden. What takes long stops when its context ends.
type Field interface {
	field.Info
	// Describe tells what the field is, and the form of vectors on a backend.
	Describe(ctx context.Context, b Backend) (Description, error)
	// Explain writes how a transform of length n would run, and its root.
	Explain(ctx context.Context, w io.Writer, n int, o Options) error
	// Mul reads two polynomials and multiplies them, modulo a third where one is given.
	Mul(ctx context.Context, a, b vecfile.Source, m Modulus, o Options) (Values, error)
	// Run reads a vector and transforms it.
	Run(ctx context.Context, t Transform, x vecfile.Source, o Options) (Values, error)
	// Verify checks transforms of length n on random input and reports each check when it is over. The error
	// is ErrWrong when one of them failed.
	Verify(ctx context.Context, n int, seed uint64, o Options, report func(Check)) error
	// VerifyGroup compares this rank's part of a transform and its inverse with those of one plan on the processor, for
	// the ranks of g, all of which call it. d is the device of the rank, nil for the processor. The error, one for all
	// ranks, is ErrWrong on a rank whose part was wrong.
	VerifyGroup(ctx context.Context, g dist.Group, d *gpu.Device, n int, seed uint64, o Options) (Check, error)
	// RunGroup is Run for the ranks of g, all of which call it. Rank 0 reads the vector, which is its src alone, and
	// has the result; the others have nil.
	RunGroup(ctx context.Context, g dist.Group, d *gpu.Device, t Transform, src *vecfile.Source, o Options) (Values,
		error)
	// BenchGroup is Bench for the operations forward and inverse on the ranks of g, all of which call it, after
	// VerifyGroup. Each has its part in a slice. Samples are Reps, or ten, the times until all ranks are over.
	BenchGroup(ctx context.Context, g dist.Group, d *gpu.Device, c Case) (Measurement, error)
	// VerifyTransforms is the number of transforms in the checks of Verify together, as Options.Progress has them.
	VerifyTransforms(n int) int
	// Bench measures one operation. The error is ErrWrong when a result was not what it should be.
	Bench(ctx context.Context, c Case) (Measurement, error)
	// Tune is tune.Measure for the processor, tune.MeasureDevice for device 0, or with Auto both, where there is one.
	Tune(ctx context.Context, b Backend, o tune.Options) (*tune.Table, error)
}

// ErrWrong says that a computation gave a wrong result.
var ErrWrong = errors.New("wrong result")

// ErrBackend says that a backend has no kernels for a field.
var ErrBackend = errors.New("no kernels for the field")

// Of returns f with its element type hidden.
func Of[E any, F Described[E]](f F) Field {
	return hide(f, elementsOf(f))
}

func hide(i field.Info, f elements) Field {
	h := &hidden{Info: i, f: f, tuned: tuning.Default, size: f.Bytes()}
	if f.Coded() {
		h.size = max(h.size, f.Size())
	}
	return h
}

// Named returns a field of [Of] under another name.
func Named(f Field, name string) Field {
	h := *f.(*hidden)
	h.name = name
	return &h
}

// Elements returns the elements of a field of [Of], for tests of packages that take fields of hidden type.
func Elements(f Field) *erased.Field { return f.(*hidden).f.Field }

// Described is a field with a name. It is a constraint alone: of an interface that values have, the compiler makes
// functions for the methods, for each element type.
type Described[E any] interface {
	field.Rooted[E]
	field.Info
}

// Options are the parameters of plans.
type Options struct {
	Backend   Backend
	Algorithm field.Algorithm
	Products  field.Products // of polynomials
	Order     field.Order
	Base      int // 0 is the plan's choice
	Workers   int // 0 is as many as the machine runs at once
	Runner    field.Runner
	Progress  func(done, total int) // of each transform
	Affine    Affine                // of plans over affine domains
	Note      func(text string)     // gets the reason where products go through other primes
}

func (o Options) plan(more ...fft.Option) []fft.Option {
	opts := []fft.Option{fft.WithAlgorithm(o.Algorithm), fft.WithProducts(o.Products), fft.WithOrder(o.Order),
		fft.WithWorkers(o.Workers)}
	if o.Base != 0 {
		opts = append(opts, fft.WithBase(o.Base))
	}
	if o.Runner != nil {
		opts = append(opts, fft.WithRunner(o.Runner))
	}
	if o.Progress != nil {
		opts = append(opts, fft.WithProgress(o.Progress))
	}
	return append(opts, more...)
}

// Values is a vector to be written.
type Values interface {
	Len() int
	Write(w io.Writer, f vecfile.Format) error
	// WriteJSON writes the elements as an array of strings, each the text of an element.
	WriteJSON(w io.Writer) error
}

type values struct {
	codec vecfile.Codec
	x     bulks.View
}

func (v *values) Len() int { return v.x.N }

func (v *values) Write(w io.Writer, f vecfile.Format) error { return vecfile.Write(w, v.codec, f, v.x) }

func (v *values) WriteJSON(w io.Writer) error { return vecfile.WriteJSON(w, v.codec, v.x) }
