package verbs

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/vecfile"
)

// groupVectors is the number of vectors that VerifyGroup holds at once, of which a rank's parts are at most one each.
const groupVectors = 6

func (h *hidden) VerifyGroup(ctx context.Context, g dist.Group, d *gpu.Device, n int, seed uint64,
	o Options) (Check, error) {
	c := Check{Name: fmt.Sprintf("%d ranks", g.Size())}
	if err := h.needSampler(); err != nil {
		return c, err
	}
	if err := h.fit(groupVectors, 1, n); err != nil {
		return c, err
	}
	p, err := h.plan(ctx, n, o)
	if err != nil {
		return c, err
	}
	x, err := h.random(ctx, newRand(seed, uint64(n)), n)
	if err != nil {
		return c, err
	}
	y := h.f.Make(n)
	if err := p.Bind(false, y, x)(ctx); err != nil {
		return c, err
	}
	on, err := h.on(d)
	if err != nil {
		return c, err
	}
	more, err := h.affine(n, &o.Affine)
	if err != nil {
		return c, err
	}
	start := time.Now()
	same, err := h.spread(ctx, g, on, x, y, o.plan(more...))
	if err == nil && !same {
		err = fmt.Errorf("galfft: %w: values are not those of one plan", ErrWrong)
	}
	c.Err, c.Time = g.Agree(ctx, 0, err), time.Since(start)
	return c, c.Err
}

// spread reports whether the parts of the ranks of g are those of x and its values y.
func (h *hidden) spread(ctx context.Context, g dist.Group, on elements, x, y bulks.View, opts []fft.Option) (bool,
	error) {
	p, err := dist.NewErased(ctx, g, on.Field, x.N, dist.Blocks{}, opts...)
	if err != nil {
		return false, err
	}
	src, dst, want := on.Make(p.Size()), on.Make(p.Size()), on.Make(p.Size())
	equal := func(a, b bulks.View) bool {
		for i := range a.N {
			if !on.Equal(on.At(a, i), on.At(b, i)) {
				return false
			}
		}
		return true
	}
	if err := p.Cut(src, x, p.Coefficients(g.Rank())); err != nil {
		return false, err
	}
	if err := p.Cut(want, y, p.Values(g.Rank())); err != nil {
		return false, err
	}
	if err := p.Forward(ctx, dst, src); err != nil {
		return false, err
	}
	same := equal(dst, want)
	err = p.Inverse(ctx, dst, dst)
	return same && equal(dst, src), err
}

// part is the part of this rank of a transform that is spread over a group.
type part interface {
	Forward(ctx context.Context, z, x bulks.View) error
	Inverse(ctx context.Context, z, x bulks.View) error
}

// transformPart transforms x in place.
func transformPart(ctx context.Context, p part, x bulks.View, inverse bool) error {
	if inverse {
		return p.Inverse(ctx, x, x)
	}
	return p.Forward(ctx, x, x)
}

// on is the elements over a device, or over the processor for nil.
func (h *hidden) on(d *gpu.Device) (elements, error) {
	if d == nil {
		return h.f, nil
	}
	f, _, err := devices.Field(h.Info, gpu.On(d))
	if err != nil {
		return elements{}, noDevice(err)
	}
	return h.f.over(f), nil
}

func (h *hidden) RunGroup(ctx context.Context, g dist.Group, d *gpu.Device, t Transform, src *vecfile.Source,
	opt Options) (Values, error) {
	const root = 0
	var x bulks.View
	op, more, err := h.points(t)
	if err == nil {
		err = h.needCodec()
	}
	if err == nil && src != nil {
		src.Most = h.most(runVectors)
		x, err = vecfile.Read(h.f, *src)
	}
	on, lacking := h.on(d)
	if err == nil {
		err = lacking
	}
	if err := g.Agree(ctx, 0, err); err != nil {
		return nil, err
	}
	lengths, n := make([]uint64, g.Size()), make([]uint64, g.Size())
	for r := range lengths {
		lengths[r] = uint64(x.N)
	}
	if err := dist.Share(ctx, g, n, lengths); err != nil {
		return nil, err
	}
	domain, err := h.affine(int(n[root]), &opt.Affine)
	if err != nil {
		return nil, err
	}
	p, err := dist.NewErased(ctx, g, on.Field, int(n[root]), dist.Blocks{}, opt.plan(append(more, domain...)...)...)
	if err != nil {
		return nil, err
	}
	from, to := p.Coefficients, p.Values
	if op.inverse {
		from, to = to, from
	}
	// Parts go by words, as elements are encoded: the same number to each rank, of which all but those of rank 0 are 0.
	size := h.f.Size()
	words := (p.Size()*size + 7) / 8
	sent, got := make([]uint64, words*g.Size()), make([]uint64, words*g.Size())
	bytes := func(w []uint64, rank int) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w[rank*words:]))), 8*words)
	}
	for r := 0; r < g.Size() && src != nil; r++ {
		b, part := bytes(sent, r), from(r)
		for i := range p.Size() {
			h.f.PutBytes(b[i*size:][:size], h.f.At(x, part.Index(i)))
		}
	}
	if err := dist.Share(ctx, g, got, sent); err != nil {
		return nil, err
	}
	own := h.f.Make(p.Size())
	b := bytes(got, root)
	for i := range own.N {
		err = errors.Join(err, h.f.SetBytes(h.f.At(own, i), b[i*size:][:size]))
	}
	if err := g.Agree(ctx, 0, err); err != nil {
		return nil, err
	}
	if err := transformPart(ctx, p, own, op.inverse); err != nil {
		return nil, err
	}
	clear(sent)
	b = bytes(sent, root)
	for i := range own.N {
		h.f.PutBytes(b[i*size:][:size], h.f.At(own, i))
	}
	if err := dist.Share(ctx, g, got, sent); err != nil || src == nil {
		return nil, err
	}
	for r := range g.Size() {
		b, part := bytes(got, r), to(r)
		for i := range own.N {
			if err := h.f.SetBytes(h.f.At(x, part.Index(i)), b[i*size:][:size]); err != nil {
				return nil, err
			}
		}
	}
	return &values{h.f, x}, nil
}

func (h *hidden) BenchGroup(ctx context.Context, g dist.Group, d *gpu.Device, c Case) (m Measurement, err error) {
	if err = c.validate(); err == nil && (c.Op != "forward" && c.Op != "inverse" || c.Batch != 1) {
		err = fmt.Errorf("galfft: %w: operation %s, batch of %d, want forward or inverse of one vector on a group",
			field.ErrSpec, c.Op, c.Batch)
	}
	if err := g.Agree(ctx, 0, err); err != nil {
		return m, err
	}
	if _, err := h.VerifyGroup(ctx, g, d, c.N, c.Seed, c.Options); err != nil {
		return m, err
	}
	on, err := h.on(d)
	if err != nil {
		return m, err
	}
	domain, err := h.affine(c.N, &c.Affine)
	if err != nil {
		return m, err
	}
	p, err := dist.NewErased(ctx, g, on.Field, c.N, dist.Blocks{}, c.plan(domain...)...)
	if err != nil {
		return m, err
	}
	x, err := h.random(ctx, newRand(c.Seed, uint64(g.Rank())), p.Size())
	if err != nil {
		return m, err
	}
	const warm = 2
	reps := c.Reps
	if reps == 0 {
		reps = 10
	}
	for i := range warm + reps {
		if err := g.Agree(ctx, 0, nil); err != nil { // all begin together
			return m, err
		}
		start := time.Now()
		if err := transformPart(ctx, p, x, c.Op == "inverse"); err != nil {
			return m, err
		}
		if i >= warm {
			m.Samples = append(m.Samples, benchjson.Sample{Ops: 1, Ns: float64(time.Since(start))})
		}
	}
	r := p.Report()
	m.N, m.Ran, m.Ignored = c.N, r.Algorithm.String(), r.Ignored
	if d != nil {
		i := d.Info()
		m.Device = &i
	}
	return m, nil
}
