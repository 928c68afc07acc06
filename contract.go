package fft

import "github.com/galfft/fft/field"

// The contract types that users of plans meet, by their names in package field.
type (
	Domain[E any] = field.Domain[E]
	Cyclic[E any] = field.Cyclic[E]
	Affine[E any] = field.Affine[E]
	Order         = field.Order
	Coefficients  = field.Coefficients
	Algorithm     = field.Algorithm
	Twiddles      = field.Twiddles
	Batch         = field.Batch
	Runner        = field.Runner
	Report        = field.Report
	Vec           = field.Vec
	Tuning        = field.Tuning

	Convolution[E any] = field.Convolution[E]
	Products           = field.Products
)

// Orders, bases of polynomials, schemes, forms of factors and ways of products.
const (
	Natural     = field.Natural
	BitReversed = field.BitReversed
	Scheme      = field.Scheme

	Monomial = field.Monomial
	LCH      = field.LCH

	Auto          = field.Auto
	Naive         = field.Naive
	SixStep       = field.SixStep
	SixStepMerged = field.SixStepMerged
	FourStep      = field.FourStep
	DepthFirst    = field.DepthFirst
	MixedRadix    = field.MixedRadix
	Bluestein     = field.Bluestein
	Codelet       = field.Codelet
	Fused         = field.Fused

	AutoTwiddles = field.AutoTwiddles
	FullTwiddles = field.FullTwiddles
	TwoLevel     = field.TwoLevel

	AutoProducts   = field.AutoProducts
	NativeProducts = field.NativeProducts
	CRTProducts    = field.CRTProducts
)

// Errors that errors.Is finds.
var (
	ErrNoRoot        = field.ErrNoRoot
	ErrNotInvertible = field.ErrNotInvertible
	ErrLength        = field.ErrLength
	ErrOverlap       = field.ErrOverlap
	ErrRange         = field.ErrRange
	ErrSpec          = field.ErrSpec
	ErrScheme        = field.ErrScheme
	ErrMemory        = field.ErrMemory
	ErrModulus       = field.ErrModulus
	ErrVec           = field.ErrVec
	ErrTuning        = field.ErrTuning
)

// RangeError is an ErrRange with the operand and the index of its first element that is not canonical.
type RangeError = field.RangeError

// LengthError is an ErrLength with the operand, the length wanted and the length got.
type LengthError = field.LengthError
