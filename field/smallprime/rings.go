package smallprime

import (
	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
)

// MulRings is that of bulks.Into.
func (t *vectorTable[W]) MulRings(of, by bulks.View, off int, how bulks.How) {
	x, y := bulks.SliceOf[W](of), bulks.SliceOf[W](by)[:of.N]
	pair := 2 * t.f.k.Lanes
	_ = t.p.w[off:][:len(x)/pair]
	form := t.known(left(how))
	const limit = kernels.MaxWords / 4 // words of a call, which does as much to each as several layers
	for i := 0; i < len(x); i += limit {
		t.f.k.Rings(&x[i], &y[i], &t.p.w[0], &t.p.q[0], &t.f.m[0], off+i/pair, min(limit, len(x)-i)/pair,
			form)
	}
}

// left is Open and Leave of how, as kernels have them.
func left(how bulks.How) (form uint8) {
	if how&bulks.Open != 0 {
		form = kernels.Open
	}
	if how&bulks.Leave != 0 {
		form |= kernels.Leave
	}
	return form
}
