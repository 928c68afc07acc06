package midint

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// wordBits is the bits of a word of a batch.
const wordBits = 32

// Batch is unsigned integers of one width, side by side. Calls that write to it exclude all others.
type Batch struct {
	bits, n int
	words   []uint32
}

// NewBatch makes n integers of so many bits, all 0. bits is a positive multiple of 32, or the error is field.ErrSpec;
// n may be 0, and below it is field.ErrLength. A batch that cannot fit in memory is field.ErrMemory.
func NewBatch(bits, n int) (*Batch, error) {
	if err := checkSize(bits, n); err != nil {
		return nil, err
	}
	return &Batch{bits: bits, n: n, words: make([]uint32, bits/wordBits*n)}, nil
}

func checkSize(width, n int) error {
	if width <= 0 || width%wordBits != 0 {
		return fmt.Errorf("midint: %w: integers of %d bits, want a positive multiple of %d", field.ErrSpec, width,
			wordBits)
	}
	if n < 0 {
		return fmt.Errorf("midint: %w: %d integers, want none negative", field.ErrLength, n)
	}
	if high, bytes := bits.Mul64(uint64(width/8), uint64(n)); high != 0 || bytes > uint64(memory.Limit()) {
		return fmt.Errorf("midint: %w: %d integers of %d bits", field.ErrMemory, n, width)
	}
	return nil
}

// Bits is the width of each integer; 0 of a nil batch or the zero value.
func (b *Batch) Bits() int {
	if b == nil {
		return 0
	}
	return b.bits
}

// Len is the number of integers; 0 of a nil batch.
func (b *Batch) Len() int {
	if b == nil {
		return 0
	}
	return b.n
}

// Words is the batch's own memory, in the layout that the package has: what is written there is in the batch. It is
// nil of a nil batch.
func (b *Batch) Words() []uint32 {
	if b == nil {
		return nil
	}
	return b.words
}

// each is the number of words of an integer.
func (b *Batch) each() int { return b.bits / wordBits }

// some is the words of integers from, …, to − 1.
func (b *Batch) some(from, to int) []uint32 { return b.words[from*b.each() : to*b.each()] }

// of is the words of integer i.
func (b *Batch) of(i int) []uint32 {
	m := b.each()
	return b.words[i*m : (i+1)*m : (i+1)*m]
}

// span is the words of integers from, …, to − 1.
func (b *Batch) span(from, to int) []uint32 {
	m := b.each()
	return b.words[from*m : to*m : to*m]
}

// made is field.ErrSpec for a nil batch and the zero value.
func (b *Batch) made(what string) error {
	if b.Bits() == 0 {
		return fmt.Errorf("midint: %w: %s is nil or no batch of NewBatch", field.ErrSpec, what)
	}
	return nil
}

// sized is field.ErrLength where the batch has other than n integers of so many bits.
func (b *Batch) sized(what string, bits, n int) error {
	if b.bits != bits || b.n != n {
		return fmt.Errorf("midint: %w: %s has %d integers of %d bits, want %d of %d", field.ErrLength, what, b.n, b.bits, n,
			bits)
	}
	return nil
}

// lengthError is a field.ErrLength.
func lengthError(what string, want, got int) error {
	return fmt.Errorf("midint: %w: %d %s, want %d", field.ErrLength, got, what, want)
}

// SetInts sets the batch to integers, Len of them. One that is nil, negative, or of more than Bits bits is
// field.ErrRange, and a batch that gets an error is not changed.
func (b *Batch) SetInts(x []*big.Int) error {
	if err := b.made("the batch"); err != nil {
		return err
	}
	if len(x) != b.n {
		return lengthError("integers", b.n, len(x))
	}
	for i, v := range x {
		if v == nil || v.Sign() < 0 || v.BitLen() > b.bits {
			return fmt.Errorf("midint: %w: integer %d, want none nil, none negative and none of more than %d bits",
				field.ErrRange, i, b.bits)
		}
	}
	for i, v := range x {
		narrow(b.of(i), v.Bits())
	}
	return nil
}

// Ints sets Len integers of dst, none of them nil, to those of the batch.
func (b *Batch) Ints(dst []*big.Int) error {
	if err := b.made("the batch"); err != nil {
		return err
	}
	if len(dst) != b.n {
		return lengthError("integers", b.n, len(dst))
	}
	for i, v := range dst {
		if v == nil {
			return fmt.Errorf("midint: %w: integer %d is nil", field.ErrRange, i)
		}
	}
	for i, v := range dst {
		w := v.Bits()
		if k := machineWords(b.each()); cap(w) < k {
			w = make([]big.Word, k)
		} else {
			w = w[:k]
		}
		widen(w, b.of(i))
		v.SetBits(w)
	}
	return nil
}

// SetUint32s copies words in the layout of the batch, Len·Bits/32 of them.
func (b *Batch) SetUint32s(x []uint32) error {
	if err := b.made("the batch"); err != nil {
		return err
	}
	if len(x) != len(b.words) {
		return lengthError("words", len(b.words), len(x))
	}
	copy(b.words, x)
	return nil
}

// Uint32s copies all words to dst, Len·Bits/32 of them.
func (b *Batch) Uint32s(dst []uint32) error {
	if err := b.made("the batch"); err != nil {
		return err
	}
	if len(dst) != len(b.words) {
		return lengthError("words", len(b.words), len(dst))
	}
	copy(dst, b.words)
	return nil
}

// SetUint64s sets the batch to words of 64 bits, low ones first, ⌈Bits/64⌉ for each integer. Where Bits is no multiple
// of 64 the upper half of each last one is 0, or it is field.ErrRange and the batch is not changed.
func (b *Batch) SetUint64s(x []uint64) error {
	k, err := b.check64(len(x))
	if err != nil {
		return err
	}
	m := b.each()
	if m%2 != 0 {
		for i := range b.n {
			if x[(i+1)*k-1] > math.MaxUint32 {
				return fmt.Errorf("midint: %w: integer %d has more than %d bits", field.ErrRange, i, b.bits)
			}
		}
	}
	for i := range b.n {
		z := b.of(i)
		for j, v := range x[i*k : (i+1)*k] {
			z[2*j] = uint32(v)
			if 2*j+1 < m {
				z[2*j+1] = uint32(v >> 32)
			}
		}
	}
	return nil
}

// Uint64s sets dst to the integers in words of 64 bits, as SetUint64s takes them.
func (b *Batch) Uint64s(dst []uint64) error {
	k, err := b.check64(len(dst))
	if err != nil {
		return err
	}
	for i := range b.n {
		x := b.of(i)
		for j := range k {
			v := uint64(x[2*j])
			if 2*j+1 < len(x) {
				v |= uint64(x[2*j+1]) << 32
			}
			dst[i*k+j] = v
		}
	}
	return nil
}

// check64 returns the words of 64 bits of an integer, where there are so many of all.
func (b *Batch) check64(n int) (k int, err error) {
	if err := b.made("the batch"); err != nil {
		return 0, err
	}
	k = (b.each() + 1) / 2
	if n != k*b.n {
		return 0, lengthError("words of 64 bits", k*b.n, n)
	}
	return k, nil
}
