package depthfirst

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// joint is the layers of a transform, joined to a change of basis: see [additive.Layers].
type joint struct {
	*alone
	move bool // parts are moved from the input before they are undone, unless a call is in place
}

func (j joint) Upper(w *engine.Watch, v engine.View, rows, width int, back bool) {
	if back {
		j.l.up(w, v, j.l.first, 1, rows, width, nil, false)
		return
	}
	j.l.down(w, v, j.l.first, 1, rows, width, false)
}

func (j joint) Lower(c *engine.Call, i, parts int, back bool) {
	n := j.n / parts
	v := c.Out.Slice(i*n, (i+1)*n)
	if !back {
		j.l.Part(&c.Watch, v, i, parts, 1, c.Reduce)
		return
	}
	if j.move && !c.InPlace {
		j.f.Copy(v, c.In.Slice(i*n, (i+1)*n), bulks.Copy{Rows: 1, Width: n})
	}
	j.l.PartInverse(&c.Watch, v, i, parts, 1, j.scale, c.Reduce)
}

// when is phases that calls need where so is true as well.
func when(so func() bool, list []engine.Phase) []engine.Phase {
	for i := range list {
		also := list[i].If
		list[i].If = func() bool { return so() && (also == nil || also()) }
	}
	return list
}
