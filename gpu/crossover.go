package gpu

// Bytes of elements from which a call on slices of the host took less time on a device, with both copies: an H200
// against one worker of the Emerald Rapids beside it, transforms in natural order. Words of 32 bits are the fastest on
// the processor. docs/gpu.md says how to find it for another machine.
const (
	crossover      = 64 << 10
	crossoverShort = 256 << 10
)

// Crossover is the number of elements of that many bytes each, of all transforms of a call, from which a device is
// taken to be the faster one: for [From], where slices come from the host and go back to it. Vectors that stay on a
// device are worth it earlier.
func Crossover(elementBytes int) int {
	if elementBytes == 4 {
		return crossoverShort / 4
	}
	return max(1, crossover/max(1, elementBytes))
}
