package gpu

// crossover is the bytes of elements from which a call on slices of the host is taken to be faster on a device, with
// both copies. It stands for 2^18 words of 64 bits, and so for fewer elements of more digits. It is chosen, not
// measured: docs/gpu.md says how to find it for a machine.
const crossover = 2 << 20

// Crossover is the number of elements of that many bytes each, of all transforms of a call, from which a device is
// taken to be the faster one: for [From], where slices come from the host and go back to it. Vectors that stay on a
// device are worth it much earlier.
func Crossover(elementBytes int) int { return max(1, crossover/max(1, elementBytes)) }
