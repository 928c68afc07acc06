package poly

import "github.com/galfft/fft/field"

// The crossovers: products whose shorter operand has at most that many coefficients go by the schoolbook. They
// are where the slowdown against the better choice, taken over products of n by n and of n by 8n coefficients
// for n from 4 to 80, is least: BenchmarkCrossover, Go 1.26, one core of an Intel Xeon with AVX-512.
const (
	// Fields with a Planner of their own, whose passes are faster than their element methods. Primes of 30, 62
	// and 64 bits and tiles of 256 bits: 12 to 14 for equal operands, 8 to 12 for unlike ones.
	crossoverPlanner = 12
	// Fields of element methods alone. Words of 30 to 64 bits: 28 to 40 for equal operands, 16 to 28 for unlike
	// ones; 256 bits: 20 to 24 and 8 to 12.
	crossoverElements = 24
)

func crossover[E any](f field.Field[E]) int {
	if _, ok := f.(field.Planner[E]); ok {
		return crossoverPlanner
	}
	return crossoverElements
}
