package gpu

import (
	"fmt"
	"math/big"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
)

// maps are tables of linear maps of elements of at most 128 bits, one after the other on the device.
type maps struct {
	tables *device.Memory
	bytes  int // of a table
	f      *device.Function
}

// Tables of maps.
const (
	there   = iota // to the standard basis
	back           // and back
	squares        // of the basis itself
)

// mappable reports whether products of m bits can go by another basis: a thread takes whole words.
func mappable(m int) bool { return m <= 64 || m > 96 && m <= 128 }

// setStandard prepares for operations by way of the default modulus of the degree. A nil modulus is the tower.
func (b *gf2) setStandard(modulus *big.Int) error {
	own, err := hostField(b.m, modulus)
	if err != nil {
		return err
	}
	standard, err := binary.New[binary.Number](b.m)
	if err != nil {
		return err
	}
	i, err := binary.NewIsomorphism(own, standard)
	if err != nil {
		return err
	}
	var words []uint32
	for _, apply := range []func(z, x []binary.Number) error{i.Map, i.Inverse().Map, squaresOf(own)} {
		t, err := table(b.m, b.size, apply)
		if err != nil {
			return err
		}
		words = append(words, t...)
	}
	tables, err := put(b.d, words)
	if err != nil {
		return err
	}
	b.maps = &maps{tables: tables, bytes: 4 * len(words) / 3}
	b.find(kernel{&b.maps.f, "gf2maps", fmt.Sprint("gf2_map_", 8*b.size), 0})
	b.standard, err = newGF2(b.d, b.m, standard.Modulus(), b.size, nil)
	return err
}

// hostField is a field of package binary by its modulus, the tower for nil.
func hostField(m int, modulus *big.Int) (*binary.Field[binary.Number], error) {
	if modulus == nil {
		return binary.NewTower[binary.Number](m)
	}
	return binary.NewModulus[binary.Number](modulus)
}

func squaresOf(f *binary.Field[binary.Number]) func(z, x []binary.Number) error {
	return func(z, x []binary.Number) error {
		for i := range x {
			f.Square(&z[i], &x[i])
		}
		return nil
	}
}

// table is that of a linear map, as kernels have it: 16 elements for each four bits of m, and of all bits of memory up
// to 16 bytes.
func table(m, size int, apply func(z, x []binary.Number) error) ([]uint32, error) {
	unit, image := make([]binary.Number, m), make([]binary.Number, m)
	for i := range unit {
		unit[i] = make(binary.Number, (m+63)/64)
		unit[i][i/64] = 1 << (i % 64)
	}
	if err := apply(image, unit); err != nil {
		return nil, err
	}
	digits, words := 2*size, max(1, size/4)
	if size > 16 {
		digits = (m + 3) / 4
	}
	t := make([]uint32, 16*digits*words)
	for i, v := range image {
		of, bit := t[i/4*16*words:][:16*words], 1<<(i%4)
		for d := range bit { // the sums of those before and this one
			for k := range words {
				var w uint64
				if k/2 < len(v) {
					w = v[k/2] >> (32 * (k % 2))
				}
				of[(bit+d)*words+k] = of[d*words+k] ^ uint32(w)
			}
		}
	}
	return t, nil
}

// put makes words of the device.
func put(d *device.Device, words []uint32) (*device.Memory, error) {
	m, err := d.Make(4 * len(words))
	if err != nil {
		return nil, err
	}
	return m, m.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(words)), 4*len(words))
}

// mapped sets z to the images of x under one of the field's maps.
func (b *gf2) mapped(on *device.Stream, table int, z, x bulks.View) error {
	return b.mapBy(on, b.maps, table, z, x)
}

func (b *gf2) mapBy(on *device.Stream, m *maps, table int, z, x bulks.View) error {
	blocks, pieces, err := b.spread(m.f, z.N, mapThreads, m.bytes)
	if err != nil {
		return err
	}
	return b.d.Launch(on, m.f, [2]int{blocks, 1}, mapThreads, m.bytes, b.at(z), b.at(x), uint64(pieces),
		m.tables.At+uint64(table*m.bytes))
}

// byStandard multiplies by way of the standard basis.
func (b *gf2) byStandard(on *device.Stream, f *device.Function, z, x, y bulks.View) error {
	const threads = 128
	shared := 2 * b.maps.bytes
	blocks, pieces, err := b.spread(f, z.N, threads, shared)
	if err != nil {
		return err
	}
	return b.d.Launch(on, f, [2]int{blocks, 1}, threads, shared, b.at(z), b.at(x), b.at(y), uint64(pieces),
		b.maps.tables.At, uint64(b.m), b.standard.taps)
}

// mapThreads are those of a block of a map of elements.
const mapThreads = 256

// spread is the blocks for pieces of 16 bytes, no more than fill a device, as each copies tables first.
func (b *gf2) spread(f *device.Function, n, threads, shared int) (blocks, pieces int, err error) {
	const piece = 16
	pieces = b.Bytes(n) / piece
	most, err := f.Fill(threads, shared)
	return min((pieces+threads-1)/threads, most), pieces, err
}

// Conversion maps vectors over a binary field on a device to vectors over another with as many elements, as
// binary.NewIsomorphism does: sums and products stay what they are. It is immutable and safe for concurrent use.
type Conversion[E any] struct {
	from, to *gf2
	m        maps
	words    int // of an element, for elements above 16 bytes; else 0
	inverse  *Conversion[E]
}

// NewConversion returns the conversion between two fields of one degree in any bases, polynomial or tower, on one
// device. Others are field.ErrSpec. It takes as long as binary.NewIsomorphism, and with its inverse m² bytes of the
// device.
func NewConversion[E any](from, to *DeviceField[E]) (*Conversion[E], error) {
	var fields [2]*binary.Field[binary.Number]
	var on [2]*gf2
	for i, f := range []*DeviceField[E]{from, to} {
		if err := f.Check(); err != nil {
			return nil, err
		}
		b, ok := f.v.(*gf2)
		if !ok {
			return nil, fmt.Errorf("gpu: %w: conversion of %s, want a binary field", field.ErrSpec, f.Name())
		}
		var err error
		if fields[i], err = hostField(b.m, b.modulus); err != nil {
			return nil, err
		}
		on[i] = b
	}
	if on[0].d != on[1].d {
		return nil, fmt.Errorf("gpu: %w: conversion between two devices", field.ErrSpec)
	}
	i, err := binary.NewIsomorphism(fields[0], fields[1])
	if err != nil {
		return nil, err
	}
	c, err := newConversion[E](on[0], on[1], i)
	if err != nil {
		return nil, err
	}
	if c.inverse, err = newConversion[E](on[1], on[0], i.Inverse()); err != nil {
		return nil, err
	}
	c.inverse.inverse = c
	return c, nil
}

func newConversion[E any](from, to *gf2, i *binary.Isomorphism[binary.Number]) (*Conversion[E], error) {
	c := &Conversion[E]{from: from, to: to}
	words, err := table(from.m, from.size, i.Map)
	if err != nil {
		return nil, err
	}
	if c.m.tables, err = put(from.d, words); err != nil {
		return nil, err
	}
	name := "gf2_map"
	if from.size <= 16 {
		name = fmt.Sprint("gf2_map_", 8*from.size)
		c.m.bytes = 4 * len(words)
	} else {
		c.words = from.size / 4
	}
	from.find(kernel{&c.m.f, "gf2maps", name, 0})
	return c, nil
}

// Inverse returns the conversion back, and nil for none.
func (c *Conversion[E]) Inverse() *Conversion[E] {
	if c == nil {
		return nil
	}
	return c.inverse
}

// MapVec sets z, a vector of the field that the conversion goes to, to the images of x, of the field from which it
// goes. Where the fields are one, z may be x up to 16 bytes an element. Vectors of other fields are field.ErrVec, of
// two lengths field.ErrLength; for all else see [AddVec].
func (c *Conversion[E]) MapVec(z, x field.Vec) error {
	if c == nil || c.from == nil {
		return fmt.Errorf("gpu: %w: no conversion, want one of NewConversion", field.ErrSpec)
	}
	to, ok := z.(*vector)
	from, too := x.(*vector)
	if !ok || !too || to == nil || from == nil || to.b != vectorBulk(c.to) || from.b != vectorBulk(c.from) ||
		from == to && c.words > 0 {
		return fmt.Errorf("gpu: %w: vectors that are not of the two fields, or closed, or one", field.ErrVec)
	}
	if to.v.N != from.v.N {
		return &field.LengthError{What: "elements of the vector", Want: to.v.N, Got: from.v.N}
	}
	if to.v.N == 0 {
		return nil
	}
	onQueueOf(to.v, from.v, from.v, func(on *device.Stream) error { return c.do(on, to.v, from.v) })
	return to.began()
}

func (c *Conversion[E]) do(on *device.Stream, z, x bulks.View) error {
	b := c.from
	if c.words == 0 {
		return b.mapBy(on, &c.m, 0, z, x)
	}
	return b.d.Each(on, c.m.f, z.N*c.words, b.at(z), b.at(x), uint64(z.N), c.m.tables.At, uint64(c.words),
		uint64((b.m+3)/4))
}
