package binary

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
)

// steps are those of folds inside planes, by logarithms of run and shift, and direction.
var steps = func() (list [7][5][2]gf2.Step) {
	for run := 2; run < len(list); run++ {
		for shift := range run - 1 {
			list[run][shift] = [2]gf2.Step{gf2.FoldStep(1<<run, 1<<shift, false), gf2.FoldStep(1<<run, 1<<shift, true)}
		}
	}
	return list
}()

func (p *planes) Fold(v bulks.View, list []bulks.Fold, width int, back bool) {
	s := p.scratch.Get().(*scratch)
	for len(list) > 0 {
		n := p.folds(s, v, list, width, back)
		if back {
			list = list[:len(list)-n]
		} else {
			list = list[n:]
		}
	}
	p.scratch.Put(s)
}

// folds does the first of folds, or undoes the last, as many as a kernel does at once, and returns how many.
func (p *planes) folds(s *scratch, v bulks.View, list []bulks.Fold, width int, back bool) int {
	at := func(i int) bulks.Fold {
		if back {
			i = len(list) - 1 - i
		}
		return bulks.Fold{Run: list[i].Run * width, Shift: list[i].Shift * width}
	}
	f := at(0)
	lane, runs := v.Off%lanes, f.Run&(f.Run-1) == 0
	part, tiles := v.N < lanes && lane+v.N <= lanes, (v.Off|v.N)%lanes == 0
	switch half := f.Run / 2; {
	case f.Run <= lanes && runs && (part || tiles):
		n := 0
		for ; n < min(len(list), len(s.steps)) && at(n).Run <= lanes; n++ {
			f := at(n)
			s.steps[n] = steps[bits.Len(uint(f.Run))-1][bits.Len(uint(f.Shift))-1][bit(back)]
		}
		if part {
			p.copyLanes(s.pair[:], 0, p.tile(v, 0), lane, v.N)
			p.set.Lanes(&s.pair[0], 1<<p.k, &s.steps[0][0], n)
			p.copyLanes(p.tile(v, 0), lane, s.pair[:], 0, v.N)
			return n
		}
		p.calls(v.N/lanes, func(i, tiles int) {
			p.set.Lanes(&p.tile(v, i*lanes)[0], tiles<<p.k, &s.steps[0][0], n)
		})
		return n
	case !tiles || !runs && (half%lanes != 0 || f.Shift%lanes != 0):
		p.foldSlow(v, f, back)
	case f.Shift < lanes:
		p.foldTiles(v, half/lanes, bits.Len(uint(f.Shift))-1, back)
	default:
		if n := p.foldRows(v, list, width, back); n > 0 {
			return n
		}
		p.foldRuns(v, f, back)
	}
	return 1
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// foldSlow goes element by element.
func (p *planes) foldSlow(v bulks.View, f bulks.Fold, back bool) {
	half := f.Run / 2
	for at := 0; at < v.N; at += f.Run {
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			i := at + j + f.Shift
			p.put(v, i, gf2.Plus(p.get(v, i), p.get(v, at+half+j)))
		}
	}
}

// FoldPart goes element by element where a part does not consist of whole tiles.
func (p *planes) FoldPart(v bulks.View, shift, from, to int, back bool) {
	half := v.N / 2
	bent := shift % lanes
	if shift < lanes {
		bent = shift & (shift - 1)
	}
	if (v.Off|half|from|to)%lanes != 0 || bent != 0 {
		foldPart(half, shift, from, to, back, func(i, j int) { p.put(v, i, gf2.Plus(p.get(v, i), p.get(v, j))) })
		return
	}
	if shift < lanes {
		if from < to {
			p.foldTilesPart(v, half/lanes, from/lanes, to/lanes, bits.Len(uint(shift))-1, back)
		}
		return
	}
	if from == 0 && !back {
		p.add(v, half, v.N-shift, shift)
	}
	if first := max(from, shift); first < to {
		p.add(v, first, half+first-shift, to-first)
	}
	if to == half && back {
		p.add(v, half, v.N-shift, shift)
	}
}

// foldPart is FoldPart by what adds element j to element i.
func foldPart(half, shift, from, to int, back bool, add func(i, j int)) {
	top := func() {
		for j := range shift {
			add(half+j, 2*half-shift+j)
		}
	}
	if from == 0 && !back {
		top()
	}
	for i := max(from, shift); i < to; i++ {
		add(i, half+i-shift)
	}
	if to == half && back {
		top()
	}
}

// foldTiles folds runs of 2·half tiles by 2^t elements, less than a tile.
func (p *planes) foldTiles(v bulks.View, half, t int, back bool) {
	kernel := p.set.Fold[p.k]
	if back {
		kernel = p.set.FoldT[p.k]
	}
	if 2*half > p.set.Call/p.bytes(lanes) {
		for at := 0; at < v.N; at += 2 * half * lanes {
			p.foldTilesPart(v.Slice(at, at+2*half*lanes), half, 0, half, t, back)
		}
		return
	}
	p.calls(v.N/lanes, func(i, tiles int) {
		kernel(&p.tile(v, i*lanes)[0], tiles/(2*half), half, 0, half, t)
	})
}

// foldTilesPart does the tiles from from to to of one run.
func (p *planes) foldTilesPart(v bulks.View, half, from, to, t int, back bool) {
	kernel, most := p.set.Fold[p.k], p.set.Call/p.bytes(lanes)
	if back {
		kernel = p.set.FoldT[p.k]
	}
	for i := from; i < to; i += most {
		kernel(&p.tile(v, 0)[0], 1, half, i, min(to, i+most), t)
	}
}

// foldRows does folds by a kernel for rows, and returns how many; 0 where none serves.
func (p *planes) foldRows(v bulks.View, list []bulks.Fold, width int, back bool) int {
	n, rows, kernel := p.rows(list, width, back)
	if n == 0 {
		return 0
	}
	run := width * list[0].Run
	if back {
		run = width * list[len(list)-n].Run
	}
	size, most := p.bytes(run/rows), p.set.Call/rows // of a row
	for at, runs := 0, max(1, most/size); at < v.N; at += runs * run {
		x := p.tile(v, at)
		for o := 0; o < size; o += most {
			kernel(&x[o], min(runs, (v.N-at)/run), size, min(most, size-o))
		}
	}
	return n
}

// Rows that are multiples of same bytes apart lie in the same lines of a first-level cache, which has eight to twelve
// places for each: kernels take near of them at once at most.
const same, near = 1 << 12, 8

// rows returns a kernel that does the first folds, or undoes the last, how many, and for how many rows of whole tiles.
func (p *planes) rows(list []bulks.Fold, width int, back bool) (n, rows int,
	kernel func(v *byte, runs, stride, n int)) {
	part := func(n int) []bulks.Fold {
		if back {
			return list[len(list)-n:]
		}
		return list[:n]
	}
	whole := func(run, rows int) bool { return width*run%(rows*lanes) == 0 }
	if n = 4; len(list) >= n {
		a := part(n)
		u := a[0].Run / 16
		if whole(a[0].Run, 16) && [4]bulks.Fold(a) == [4]bulks.Fold{{Run: 16 * u, Shift: 2 * u},
			{Run: 8 * u, Shift: u}, {Run: 4 * u, Shift: u}, {Run: 16 * u, Shift: 4 * u}} {
			if back {
				return n, 16, p.set.SixteenT
			}
			return n, 16, p.set.Sixteen
		}
	}
	for n = min(3, len(list)); n > 0; n-- {
		a := part(n)
		fits := whole(a[0].Run, 2<<n) && (2<<n <= near || p.bytes(width*a[0].Run/(2<<n))%same != 0)
		for i, f := range a {
			fits = fits && f.Run == a[0].Run>>i && f.Shift == f.Run/4
		}
		if fits && back {
			return n, 2 << n, p.set.ExpandT[n-1]
		}
		if fits {
			return n, 2 << n, p.set.Expand[n-1]
		}
	}
	return 0, 0, nil
}

// foldRuns folds runs of whole tiles by whole tiles.
func (p *planes) foldRuns(v bulks.View, f bulks.Fold, back bool) {
	half := f.Run / 2
	for at := 0; at < v.N; at += f.Run {
		if !back {
			p.add(v, at+half, at+f.Run-f.Shift, f.Shift)
		}
		p.add(v, at+f.Shift, at+half, half-f.Shift)
		if back {
			p.add(v, at+half, at+f.Run-f.Shift, f.Shift)
		}
	}
}

// add adds n elements at from to those at to, all whole tiles.
func (p *planes) add(v bulks.View, to, from, n int) {
	p.calls(n/lanes, func(i, tiles int) {
		p.set.Add(&p.tile(v, to+i*lanes)[0], &p.tile(v, from+i*lanes)[0], tiles<<p.k)
	})
}

// Swap, Scales and ScaleFold implement bulks.Spanner: planes have no kernels for them.
func (p *planes) Swap(_, _, _ bulks.View, _ bulks.Copy) bool { return false }

func (p *planes) Scales() int { return 0 }

func (p *planes) ScaleFold(bulks.Table, bulks.View, bulks.View, bulks.Scaled, bool) {}
