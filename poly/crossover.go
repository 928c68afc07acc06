package poly

import "github.com/galfft/fft/field"

// The crossovers: products whose shorter operand has at most that many coefficients go by the schoolbook. Measured
// by BenchmarkCrossover, Go 1.26, one core of an Intel Xeon with AVX-512: transforms come in powers of two, so
// that both sides win by turns over a range of lengths, and the number weighs the ranges below.
const (
	// Fields with a Planner of their own, whose passes are faster than their element methods. Primes of 30 and 62
	// bits: 12 to 16 for equal operands, 8 to 12 for unlike ones; tiles of 256 bits: 12 to 20 and 12 to 16.
	crossoverPlanner = 12
	// Fields of element methods alone. Words: 32 to 40 for equal operands, 20 to 32 for unlike ones; 256 bits: 12
	// to 20 and 12 to 16.
	crossoverElements = 24
	// Fields that multiply through other primes, as they have no roots (field.Convolver). Primes of 30, 61 and 64 bits:
	// 28 to 36 for equal operands, 14 to 28 for unlike ones.
	crossoverThrough = 28
	// The same for elements of several words. Primes of 127 to 256 bits: 10 to 14 for equal operands, 8 for unlike
	// ones; of 1024 bits 8 and 6.
	crossoverThroughWords = 8
)

// weights returns the crossover, and the weight of a joint of truncated products.
func weights(e *elements, products field.Products) (schoolbook, joint int) {
	switch {
	case goesThrough(e, products) && e.size > 8:
		return crossoverThroughWords, perJointWords
	case goesThrough(e, products):
		return crossoverThrough, perJoint
	case e.planner:
		return crossoverPlanner, perJoint
	}
	return crossoverElements, perJoint
}

// tune takes the crossover that t has, where there is one.
func (r *ring) tune(t field.Tuning) {
	if t == nil || r.plans.products != field.AutoProducts {
		return
	}
	v, ok := t.TunedProducts(field.TuningName(r.elements.f))
	// What the schoolbook does without roots must not need them: a lower crossover is for fields that have them all.
	if !ok || v.Schoolbook <= 0 || v.Schoolbook < r.schoolbook && !r.elements.through && !r.elements.hasRoot(anyRoot) {
		return
	}
	r.schoolbook, r.source = v.Schoolbook, v.Source
}

// anyRoot is an order whose transforms no memory holds.
const anyRoot = 1 << 48

// goesThrough reports whether products a little above the crossover go through other primes.
func goesThrough(e *elements, products field.Products) bool {
	switch {
	case products != field.AutoProducts || !e.through:
		return products == field.CRTProducts
	case !e.hasRoot(leastRoot):
		return true
	}
	return e.cost(leastRoot) < 1
}

// leastRoot is the order that the roots of a field have at least where products a little above the crossover take them.
const leastRoot = 1 << 7
