package fieldtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
)

// pass is a kind of pass beside its definition: layers inside blocks of 2^layers·Half rows.
type pass struct {
	name   string
	layers int
	tail   bool // rows of one element that touch, and Half = 1
	wide   bool // it takes wide values
	to     bool // it leaves wide values
	how    bulks.How
	def    func(layers int, v, w elements, l layer)
}

// run does the pass on the rows of l.
func (p *pass) run(t bulks.Table, v bulks.View, l layer) {
	l.pass(t, v, p.layers, bulks.Pass{How: p.how})
}

var passNames = []string{"Radix2", "Radix2T", "Radix4", "Radix4T", "Radix8", "Radix8T", "Radix16", "Radix16T", "Tail",
	"TailCanonical", "TailSame", "TailT", "TailSameT"}

// kinds lists the passes that there are. Those of one name differ in layers.
func (s *bulkSuite) kinds() (list []pass) {
	const up = bulks.Transposed
	for k := 1; k <= max(1, s.passes.Layers, s.passes.Far); k++ {
		name := fmt.Sprintf("Radix%d", 1<<k)
		list = append(list,
			pass{name, k, false, true, true, 0, s.layers},
			pass{name + "T", k, false, false, false, up, s.layersT})
	}
	for _, k := range s.tails() {
		list = append(list,
			pass{"Tail", k, true, true, true, 0, s.layers},
			pass{"TailCanonical", k, true, true, false, bulks.Reduced, s.layers},
			pass{"TailSame", k, true, true, true, bulks.Same, s.same(s.layers)},
			pass{"TailT", k, true, false, false, up, s.layersT},
			pass{"TailSameT", k, true, false, false, up | bulks.Same, s.same(s.layersT)})
	}
	return list
}

// same is a pass on blocks that all stand at one place.
func (s *bulkSuite) same(def func(layers int, v, w elements, l layer)) func(layers int, v, w elements, l layer) {
	return func(layers int, v, w elements, l layer) {
		count := l.Blocks
		l.Blocks = 1
		for i := range count {
			def(layers, v[i<<layers:(i+1)<<layers], w, l)
		}
	}
}

// longTail is the layers of the longest tail that definitions take the time for.
const longTail = 10

// tails returns the layers of the tails that there are, up to longTail, each once.
func (s *bulkSuite) tails() (list []int) {
	for k := range min(longTail+1, len(s.passes.Tails)) {
		if n := sum(s.passes.Tails[k]); n > 0 && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

func sum(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

// one returns an element of a list.
func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// listed checks that the list of passes makes sense: what it says of a tail, whoever asks for its parts comes to.
func (s *bulkSuite) listed(*rand.Rand) error {
	p := s.passes
	if p.Layers < 0 || p.Odd < 0 || p.Odd > 0 && p.Odd%2 == 0 || p.OddScratch < 0 {
		return fmt.Errorf("passes of %d layers, and DFTs of odd lengths up to %d", p.Layers, p.Odd)
	}
	if n := len(p.Tails); n > 17 {
		return fmt.Errorf("tails of transforms of 2^%d elements, want at most 2^16", n-1)
	}
	for k, list := range p.Tails {
		if len(list) == 0 {
			continue
		}
		last := list[len(list)-1]
		switch {
		case slices.Min(list) < 1:
			return fmt.Errorf("transforms of 2^%d elements: a tail of passes of %d layers", k, list)
		case sum(list) > k:
			return fmt.Errorf("transforms of 2^%d elements: a tail of 2^%d", k, sum(list))
		case sum(p.Tails[last]) != last:
			return fmt.Errorf("a tail of passes of %d layers, the last of which is no tail of its own", list)
		}
	}
	return nil
}

// pass checks the passes of a name on single layers.
func (s *bulkSuite) pass(r *rand.Rand, name string) error {
	kinds := slices.DeleteFunc(s.kinds(), func(p pass) bool { return p.name != name })
	if len(kinds) == 0 {
		return errNotOffered
	}
	p := s.pool(r)
	for _, l := range shapes(r, kinds[0].tail, s.scale) {
		kind := one(r, kinds)
		l = s.fewer(r, l, kind.layers)
		w, t, err := s.multipliers(r, p, (l.Off+l.Blocks)<<kind.layers/2+r.IntN(3))
		if err != nil {
			return err
		}
		v := s.vector(r, p, (l.Blocks*l.Half<<kind.layers-1)*l.Stride+l.Width)
		kind.run(t, v.view, l)
		kind.def(kind.layers, v.part, w, l)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("%s of %d layers, %+v: %w", name, kind.layers, l, err)
		}
	}
	return nil
}

// fewer takes blocks and rows from a long pass of some layers, of which below testscale.Full an eighth stays as it is:
// definitions take the time, and what loops over blocks and rows shows at few of them.
func (s *bulkSuite) fewer(r *rand.Rand, l layer, layers int) layer {
	const long = 1 << 10 // elements
	if s.scale >= testscale.Full || r.IntN(8) == 0 {
		return l
	}
	for l.Blocks*l.Half*l.Width<<layers > long {
		switch {
		case l.Half > 2:
			l.Half = (l.Half + 1) / 2
		case l.Blocks > 2:
			l.Blocks = (l.Blocks + 1) / 2
		default:
			return l
		}
	}
	return l
}

// shapes returns layers of all widths from 1 to 40 and some more, of rows that touch, folded and not, and of
// rows that do not, where each width has one of these forms below testscale.Full; for tails, numbers of blocks from
// 1 to 44.
func shapes(r *rand.Rand, tail bool, scale int) (list []layer) {
	for range scale {
		for i := range 44 {
			off, width := r.IntN(2)*r.IntN(9), 1+i
			if tail {
				list = append(list, layer{off, bulks.Rows{Blocks: width, Half: 1, Width: 1, Stride: 1}})
				continue
			}
			blocks, half := 1+r.IntN(5), []int{1, 2, 3, 4, 8}[r.IntN(5)]
			if width > 40 {
				width, blocks, half = []int{64, 96, 100, 256}[width-41], 1+blocks%2, 1
			}
			forms := []layer{
				layer{off, bulks.Rows{Blocks: blocks, Half: half, Width: width, Stride: width}},
				newLayer(off, blocks, half, width, width),
				newLayer(off, blocks, half, width, width+1+r.IntN(9)),
				newLayer(off, blocks, 1, width, 2*width),
			}
			if scale < testscale.Full {
				forms = forms[r.IntN(len(forms)):][:1]
			}
			list = append(list, forms...)
		}
	}
	return list
}
