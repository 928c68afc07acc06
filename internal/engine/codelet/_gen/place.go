package main

import "fmt"

// most is the most elements at once, 16, and the scratch.
const most = 17

// places says where elements are: x0, x1, … or the scratch, which is the place behind them. The one behind those of the
// elements is free.
type places [most]uint8

// way is one to reach places, by the code of the last butterfly.
type way struct {
	from *way
	at   places
	code string
}

// place returns the code of the butterflies of k elements, each at its place in the beginning and in the end. What is
// computed goes to any place that is free, so that nearly nothing has to be moved: DFT_4 and DFT_8 copy no element.
func place(k int, list []pair, transposed bool) (code []string) {
	first := new(way)
	for i := range k + 1 {
		first.at[i] = uint8(i)
	}
	ways := []*way{first}
	for _, p := range list {
		seen, next := make(map[places]bool), []*way(nil)
		for _, w := range ways {
			butterfly(w, k, p, transposed, func(i, j, free uint8, code string) {
				at := w.at
				at[p.i], at[p.j], at[k] = i, j, free
				if !seen[at] {
					seen[at] = true
					next = append(next, &way{w, at, code})
				}
			})
		}
		const enough = 1 << 14 // of those that are reached first
		ways = next[:min(len(next), enough)]
	}
	best, least := ways[0], most
	for _, w := range ways {
		if moves := home(w.at, k); moves != nil && len(moves) <= least {
			if len(moves) < least {
				best, least = w, len(moves)
			}
		}
	}
	for w := best; w.from != nil; w = w.from {
		code = append([]string{w.code}, code...)
	}
	return append(code, home(best.at, k)...)
}

// butterfly calls yield with the places of both elements, and the free one, of each way to compute p.
func butterfly(w *way, k int, p pair, transposed bool, yield func(i, j, free uint8, code string)) {
	x, y, t := w.at[p.i], w.at[p.j], w.at[k]
	name := func(at uint8) string {
		if int(at) == k {
			return "t"
		}
		return fmt.Sprintf("x%d", at)
	}
	call := func(what string, z, x, y uint8) string {
		return fmt.Sprintf("f.%s(%s, %s, %s); ", what, name(z), name(x), name(y))
	}
	by := func(z, x uint8) string { return fmt.Sprintf("m(%s, %s, %d*c); ", name(z), name(x), p.e) }
	switch {
	case p.e == 0:
		yield(x, t, y, call("Sub", t, x, y)+call("Add", x, x, y))
		yield(y, t, x, call("Sub", t, x, y)+call("Add", y, x, y))
		yield(t, x, y, call("Add", t, x, y)+call("Sub", x, x, y))
		yield(t, y, x, call("Add", t, x, y)+call("Sub", y, x, y))
	case transposed:
		yield(x, y, t, call("Sub", t, x, y)+call("Add", x, x, y)+by(y, t))
		yield(y, x, t, call("Sub", t, x, y)+call("Add", y, x, y)+by(x, t))
		yield(x, t, y, call("Sub", t, x, y)+call("Add", x, x, y)+by(t, t))
		yield(y, t, x, call("Sub", t, x, y)+call("Add", y, x, y)+by(t, t))
		yield(t, x, y, call("Add", t, x, y)+call("Sub", x, x, y)+by(x, x))
		yield(t, y, x, call("Add", t, x, y)+call("Sub", y, x, y)+by(y, y))
	default:
		yield(x, y, t, by(t, y)+call("Sub", y, x, t)+call("Add", x, x, t))
		yield(t, y, x, by(t, y)+call("Sub", y, x, t)+call("Add", t, x, t))
		yield(y, x, t, by(t, y)+call("Add", y, x, t)+call("Sub", x, x, t))
		yield(y, t, x, by(t, y)+call("Add", y, x, t)+call("Sub", t, x, t))
	}
}

// home returns the swaps with what is free after which elements are where they belong; nil where that takes others.
func home(at places, k int) (moves []string) {
	moves = []string{}
	for int(at[k]) != k {
		free := at[k] // where the element of this number belongs
		from := "t"
		if int(at[free]) != k {
			from = fmt.Sprintf("x%d", at[free])
		}
		moves = append(moves, fmt.Sprintf("k.Swap(x%d, %s)", free, from))
		at[free], at[k] = free, at[free]
	}
	for i := range k {
		if int(at[i]) != i {
			return nil
		}
	}
	return moves
}
