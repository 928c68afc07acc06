package midliteral

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/midint/literal"
)

// FFT has the paper's transforms modulo a prime on a device, and what they multiply, as literal.FFT has them: a block
// has one integer, or one vector, of M values. Digits are halves of words there, and what is at addresses has the
// lengths that methods say. It is for one goroutine.
type FFT[W literal.Word] struct {
	k        *Kernels
	host     *literal.FFT[W]
	m, q     int
	powers   *device.Memory
	inverses *device.Memory
	inverse  W
}

// NewFFT has transforms of m points, with q points a thread, and their tables of roots on the device. Points and
// threads that literal.NewFFT refuses are its errors; primes other than the paper's, and points that no block has
// shared memory for, are field.ErrSpec.
func NewFFT[W literal.Word](k *Kernels, f literal.Field[W], m, q int) (*FFT[W], error) {
	host, err := literal.NewFFT(f, m, q)
	if err != nil {
		return nil, err
	}
	t := &FFT[W]{k: k, host: host, m: m, q: q}
	prime := uint64(literal.PrimeField32().P)
	if t.word() == 8 {
		prime = literal.PrimeField64().P
	}
	if uint64(f.P) != prime {
		return nil, fmt.Errorf("midliteral: %w: no kernel for the prime %d", field.ErrSpec, f.P)
	}
	if most := k.d.Info().SharedOptIn; t.shared() > most {
		return nil, fmt.Errorf("midliteral: %w: %d bytes of shared memory for %d points, of at most %d", field.ErrSpec,
			t.shared(), m, most)
	}
	powers, inverses, inverse, err := f.Roots(m)
	if err != nil {
		return nil, err
	}
	t.inverse = inverse
	for _, table := range []struct {
		to   **device.Memory
		from []W
	}{{&t.powers, powers}, {&t.inverses, inverses}} {
		bytes := m * t.word()
		if *table.to, err = k.d.Make(bytes); err == nil {
			err = k.d.CopyIn((*table.to).At, unsafe.Pointer(unsafe.SliceData(table.from)), bytes)
		}
		if err != nil {
			return nil, cmp.Or(err, t.Close())
		}
	}
	// Launches are on other streams than copies.
	return t, cmp.Or(k.d.Wait(context.Background(), t.powers), k.d.Wait(context.Background(), t.inverses))
}

// Close frees the tables, which nothing uses any more.
func (t *FFT[W]) Close() (err error) {
	for _, m := range []*device.Memory{t.powers, t.inverses} {
		if m != nil {
			err = cmp.Or(err, m.Release())
		}
	}
	t.powers, t.inverses = nil, nil
	return err
}

// word is the bytes of a word.
func (t *FFT[W]) word() int { return bits.OnesCount64(uint64(^W(0))) / 8 }

// shared is the bytes of shared memory of a block.
func (t *FFT[W]) shared() int { return scans + t.m*t.word() }

// Check is that of literal.FFT.
func (t *FFT[W]) Check(d literal.Digits) error { return t.host.Check(d) }

// CyclicModP puts n cyclic convolutions of M values modulo the prime on a stream: which are no products of integers.
// Values of x and y are halves of words, and those of z are words.
func (t *FFT[W]) CyclicModP(on *device.Stream, z, x, y uint64, n int) error {
	return t.launch(on, "cyclic", z, x, y, n)
}

// Mul puts n products on a stream, of Count digits each, or where wide is set of twice as many; operands have Count.
// z may be x or y where it is not wide. Digits that Check refuses are its errors. Digits that have more bits are not
// found, and what comes of them is without meaning.
func (t *FFT[W]) Mul(on *device.Stream, z, x, y uint64, d literal.Digits, n int, wide bool) error {
	out := d.Count
	if wide {
		out *= 2
	}
	return t.digits(on, "fftmul", z, x, y, d, n, out)
}

// Add puts n sums modulo 2^(Count·Bits) on a stream. z may be x or y. Errors are those of Mul.
func (t *FFT[W]) Add(on *device.Stream, z, x, y uint64, d literal.Digits, n int) error {
	return t.digits(on, "fftadd", z, x, y, d, n, d.Count)
}

// Poly puts n of (x·x + y)·(y·y + y) + x·y modulo 2^(Count·Bits) on a stream, by four products and three sums in one
// kernel. z may be x or y. Errors are those of Mul.
func (t *FFT[W]) Poly(on *device.Stream, z, x, y uint64, d literal.Digits, n int) error {
	return t.digits(on, "fftpoly", z, x, y, d, n, d.Count)
}

func (t *FFT[W]) digits(on *device.Stream, name string, z, x, y uint64, d literal.Digits, n, out int) error {
	if err := t.Check(d); err != nil {
		return err
	}
	return t.launch(on, name, z, x, y, n, uint64(d.Count), uint64(out), uint64(d.Bits))
}

// launch puts a block for each integer on a stream.
func (t *FFT[W]) launch(on *device.Stream, name string, z, x, y uint64, n int, more ...uint64) error {
	if n < 1 {
		return fmt.Errorf("midliteral: %w: %d integers", field.ErrLength, n)
	}
	f, err := t.k.function(fmt.Sprintf("literal_%s%d_%d", name, 8*t.word(), t.q))
	if err != nil {
		return err
	}
	threads := (t.m/t.q + 31) / 32 * 32
	args := append([]uint64{z, x, y, t.powers.At, t.inverses.At, uint64(t.inverse), uint64(t.m)}, more...)
	return t.k.d.Launch(on, f, [2]int{n, 1}, threads, t.shared(), args...)
}

// Cut puts on a stream the digits of n integers of so many words of 32 bits, Count of each at z. Digits that are not as
// many as the words have are field.ErrLength.
func (t *FFT[W]) Cut(on *device.Stream, z, x uint64, d literal.Digits, words, n int) error {
	if all := 32 * words; d.Count*d.Bits < all || (d.Count-1)*d.Bits >= all {
		return fmt.Errorf("midliteral: %w: %+v of %d words", field.ErrLength, d, words)
	}
	return t.convert(on, "cut", z, x, d, words, n, n*d.Count)
}

// Join puts on a stream the low words of 32 bits, so many of each, of n integers of digits.
func (t *FFT[W]) Join(on *device.Stream, z, x uint64, d literal.Digits, words, n int) error {
	return t.convert(on, "join", z, x, d, words, n, n*words)
}

// convert has a thread for each of all values of the result.
func (t *FFT[W]) convert(on *device.Stream, name string, z, x uint64, d literal.Digits, words, n, all int) error {
	if d.Count < 1 || d.Bits < 1 || d.Bits >= 4*t.word() {
		return fmt.Errorf("midliteral: %w: %+v", field.ErrSpec, d)
	}
	if words < 1 || n < 1 {
		return fmt.Errorf("midliteral: %w: %d integers of %d words", field.ErrLength, n, words)
	}
	f, err := t.k.function(fmt.Sprintf("literal_%s%d", name, 8*t.word()))
	if err != nil {
		return err
	}
	const threads = 256
	return t.k.d.Launch(on, f, [2]int{(all + threads - 1) / threads, 1}, threads, 0, z, x, uint64(all), uint64(words),
		uint64(d.Count), uint64(d.Bits))
}
