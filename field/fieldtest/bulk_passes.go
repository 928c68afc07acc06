package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
)

// pass is a pass of a table beside its definition: layers inside blocks of radix·Half rows.
type pass[E any] struct {
	name  string
	radix int
	tail  bool // rows of one element that touch, and Half = 1
	wide  bool // it takes wide values
	to    bool // it leaves wide values
	run   func(v field.View, l field.Layer)
	def   func(radix int, v, w []E, l field.Layer)
}

var passNames = []string{"Radix2", "Radix2T", "Radix4", "Radix4T", "Radix8", "Radix8T", "Radix16", "Radix16T", "Tail",
	"TailCanonical", "TailT"}

// passes lists what t offers.
func (s *bulkSuite[E]) passes(t field.Table) []pass[E] {
	list := []pass[E]{
		{"Radix2", 2, false, true, true, t.Radix2, s.layers},
		{"Radix2T", 2, false, false, false, t.Radix2T, s.layersT},
	}
	if high, ok := t.(field.HighRadix); ok {
		for k := 2; k <= high.MaxLayers(); k++ {
			name := fmt.Sprintf("Radix%d", 1<<k)
			list = append(list,
				pass[E]{name, 1 << k, false, true, true, func(v field.View, l field.Layer) { high.Layers(v, l, k) },
					s.layers},
				pass[E]{name + "T", 1 << k, false, false, false, func(v field.View,
					l field.Layer) {
					high.LayersT(v, l, k)
				}, s.layersT},
			)
		}
	}
	if tail, ok := t.(field.Tail); ok {
		const rows = 1 << 10
		size := tail.TailSize(rows)
		blocks := func(l field.Layer) field.Blocks {
			return field.Blocks{Off: l.Off, Size: size, Count: l.Blocks}
		}
		list = append(list,
			pass[E]{"Tail", size, true, true, true, func(v field.View,
				l field.Layer) {
				tail.Tail(v, blocks(l), false)
			}, s.layers},
			pass[E]{"TailCanonical", size, true, true, false, func(v field.View,
				l field.Layer) {
				tail.Tail(v, blocks(l), true)
			}, s.layers},
			pass[E]{"TailT", size, true, false, false, func(v field.View, l field.Layer) { tail.TailT(v, blocks(l)) },
				s.layersT},
		)
	}
	return list
}

// find returns the pass of that name, or false where t does not offer it.
func (s *bulkSuite[E]) find(t field.Table, name string) (pass[E], bool) {
	for _, p := range s.passes(t) {
		if p.name == name {
			return p, true
		}
	}
	return pass[E]{}, false
}

// pass checks one kind of pass on single layers. A table of another size may offer other passes.
func (s *bulkSuite[E]) pass(r *rand.Rand, name string) error {
	p := s.pool(r)
	_, t, err := s.multipliers(r, p, 64)
	if err != nil {
		return err
	}
	kind, ok := s.find(t, name)
	if !ok {
		return errNotOffered
	}
	if radix := kind.radix; radix < 2 || radix&(radix-1) != 0 {
		return fmt.Errorf("tail of %d elements, want a power of two", radix)
	}
	for _, l := range shapes(r, kind.tail, s.scale) {
		w, t, err := s.multipliers(r, p, (l.Off+l.Blocks)*kind.radix/2+r.IntN(3))
		if err != nil {
			return err
		}
		same, ok := s.find(t, name)
		if !ok || same.radix != kind.radix {
			continue
		}
		v := s.vector(r, p, (l.Blocks*kind.radix*l.Half-1)*l.Stride+l.Width)
		same.run(v.view, l)
		same.def(same.radix, v.part, w, l)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("%s, %+v: %w", name, l, err)
		}
	}
	return nil
}

// shapes returns layers of all widths from 1 to 40 and some more, of rows that touch, folded and not, and of
// rows that do not, where each width has one of these forms below testscale.Full; for tails, numbers of blocks from
// 1 to 44.
func shapes(r *rand.Rand, tail bool, scale int) (list []field.Layer) {
	for range scale {
		for i := range 44 {
			off, width := r.IntN(2)*r.IntN(9), 1+i
			if tail {
				list = append(list, field.Layer{Off: off, Blocks: width, Half: 1, Width: 1, Stride: 1})
				continue
			}
			blocks, half := 1+r.IntN(5), []int{1, 2, 3, 4, 8}[r.IntN(5)]
			if width > 40 {
				width, blocks, half = []int{64, 96, 100, 256}[width-41], 1+blocks%2, 1
			}
			forms := []field.Layer{
				{Off: off, Blocks: blocks, Half: half, Width: width, Stride: width},
				field.NewLayer(off, blocks, half, width, width),
				field.NewLayer(off, blocks, half, width, width+1+r.IntN(9)),
				field.NewLayer(off, blocks, 1, width, 2*width),
			}
			if scale < testscale.Full {
				forms = forms[r.IntN(len(forms)):][:1]
			}
			list = append(list, forms...)
		}
	}
	return list
}
