package gpu

// crossover is the bytes of elements from which calls on slices of the host took less time on a device, with both
// copies, for every field that was measured: an H200 against one worker of the Emerald Rapids beside it, transforms in
// natural order (bench/results/2026-11-23-8b549e1-gpu.jsonl). docs/gpu.md says how to find it for another machine.
const crossover = 256 << 10

// Crossover is the number of elements of that many bytes each, of all transforms of a call, from which a device is
// taken to be the faster one: for [From], where slices come from the host and go back to it. Vectors that stay on a
// device are worth it earlier.
func Crossover(elementBytes int) int { return max(1, crossover/max(1, elementBytes)) }
