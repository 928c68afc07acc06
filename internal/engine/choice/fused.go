package choice

// What whole transforms of a device choose: kernels have shapes of their own, which follow from lengths.

// MostContiguous is the most layers of a pass over contiguous words, as a tile has them.
const MostContiguous = 12

// Divided divides n layers among passes over words: one contiguous pass of at most MostContiguous, and else as few as
// there can be, the last one of about 10 and the strided ones before it of 5 to 8 layers each, for which there are
// fixed shapes. On an H200 2^24 points take 0.37 ms as 7 + 7 + 10 layers, and 0.39 ms as 8 + 8 + 8 (p62,
// BenchmarkPasses of package gpu).
func Divided(n int) []int { return DividedBy(n, MostContiguous, 8) }

// DividedBy is Divided where a contiguous pass has at most so many layers, at least 10, and a strided one at most so
// many, at least 5.
func DividedBy(n, contiguous, most int) []int {
	const least, last = 5, 10
	if n <= contiguous {
		return []int{n}
	}
	strided := (n - contiguous + most - 1) / most
	end := max(min(last, n-least*strided), n-most*strided)
	var list []int
	for left, i := n-end, strided; i > 0; i-- {
		list = append(list, left/i)
		left -= left / i
	}
	return append(list, end)
}

// Alone divides the n layers of transforms that are too few to fill a device by Divided: nil where nothing else is
// better. Of 64 bits, 2^12 points take 0.0071 ms as 6 + 6 layers on four multiprocessors and 0.0088 as 12 on one, and
// of 32 bits 0.0056 and 0.0045 (Goldilocks and BabyBear, bench/results/2026-11-23-0478350-gpu-times.txt).
func Alone(n, bytes int) []int {
	if n == MostContiguous && bytes == 8 {
		return []int{6, 6}
	}
	return nil
}

// Digits is the way of passes over elements of digits.
type Digits struct {
	Pairs bool // of two steps each, where they fit
	Lazy  bool // without carries of sums
}

// OfDigits chooses for elements of k digits. lazy says that the radix allows sums without carries, which took 0.6 of
// the time on an H200 (bench/results/2026-11-23-97e8c3a-gpu-digits.txt). Two steps halve the walks over memory, and
// leave fewer threads to a multiprocessor: 8 digits took 1.1 to 2.8 times the time so
// (bench/results/2026-11-23-8b549e1-gpu-times.txt).
func OfDigits(k int, lazy bool) Digits {
	const paired = 4
	return Digits{Pairs: k <= paired, Lazy: lazy}
}

// DigitPass is a pass over elements of digits. Layers are those of its steps together, and Second those of the second
// step, 0 where there is one step.
type DigitPass struct{ Layers, Second int }

// passes divides n layers among passes, first the one of the largest distance, whose steps have at most so many layers.
// A step that is shorter than others comes first, as row 0 of it needs no products. room reports whether the device has
// room for a pass of two steps with so many layers together.
func (d Digits) passes(n, most int, room func(layers int) bool) (list []DigitPass) {
	for first := (n-1)%most + 1; n > 0; first = most {
		p := DigitPass{Layers: first}
		if d.Pairs && !d.Lazy && n > first && room(first+most) {
			p = DigitPass{Layers: first + most, Second: most}
		}
		list = append(list, p)
		n -= p.Layers
	}
	return list
}
