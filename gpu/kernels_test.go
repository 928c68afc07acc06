package gpu

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/stretchr/testify/require"
)

// All kernels are some bulk's: none is left that nothing starts. Other modules have tests of their own.
func TestKernelsNamed(t *testing.T) {
	d := alone(t)
	named := map[string]bool{}
	add := func(b vectorBulk, err error) {
		require.NoError(t, err)
		v := reflect.ValueOf(b).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() == reflect.TypeFor[*device.Function]() && !f.IsNil() {
				named[f.Elem().FieldByName("name").String()] = true
			}
		}
		if two, ok := b.(*gf2); ok {
			for _, w := range two.ways {
				named[w.f.String()] = true
			}
			if two.maps != nil {
				named[two.maps.f.String()] = true
			}
		}
		if a, ok := b.(*additive); ok {
			for _, l := range []*additiveLayers{&a.full, &a.narrow} {
				if l.heap == nil {
					continue
				}
				named[l.heap.String()] = true
				for i := range l.wide {
					named[l.wide[i].String()], named[l.tile[i].String()] = true, true
					if l.sliced[i] != nil {
						named[l.sliced[i].String()], named[l.deep[i].String()] = true, true
					}
				}
			}
		}
		if w, ok := b.(*words); ok {
			for _, all := range w.passes {
				named[all.forward.String()], named[all.inverse.String()] = true, true
				for _, f := range all.fixed {
					named[f.forward.String()], named[f.inverse.String()] = true, true
				}
			}
		}
	}
	for _, p := range []uint64{goldilocks, 1<<61 - 1, 1<<63 - 25} {
		add(newWords(d.room(), p, 8, pointer[uint64]))
	}
	for _, p := range []uint64{1<<29 - 3, 1<<31 - 1, 1<<32 - 5} {
		add(newWords(d.room(), p, 4, pointer[uint32]))
	}
	add(bulkOf(t, d, gfpf.P1()))
	add(bulkOf(t, d, gfpf.P2()))
	add(bulkOf(t, d, gfpf.P3()))
	add(bulkOf(t, d, gfpf.P4()))
	add(bulkOf(t, d, gfpf.P5()))
	add(bulkOf(t, d, gfpf.P6()))
	add(bulkOf(t, d, gfpf.P7()))
	for _, m := range []int{16, 32, 64, 96, 128, 160, 192, 224, 256, 288} { // groups, and elements of 1 to 8 words
		two, err := newGF2(d.room(), m, must(binary.DefaultModulus(m)), m/8, nil)
		add(two, err)
		if b := withTransforms(two); b != nil {
			add(b, nil)
		}
	}
	for _, m := range []int{8, 16, 32, 64, 128} { // the towers
		add(newGF2(d.room(), m, nil, m/8, nil))
	}
	named["gf2_map"] = true // of conversions
	others := strings.Fields("midint midfft midpass midtensor probe rate residues gf2tables")
	for _, module := range cuda.Modules() {
		if slices.Contains(others, module) {
			continue
		}
		for _, name := range cuda.Open(module).Kernels() {
			require.True(t, named[name], "%s of %s: nothing starts it", name, module)
		}
	}
}

func bulkOf[E any](t *testing.T, d *Device, f field.Rooted[E]) (vectorBulk, error) {
	g, err := Field(f, On(d))
	require.NoError(t, err)
	return g.b, nil
}

// A plan has the driver compile what its passes are, and no more; calls find them there.
func TestCompiled(t *testing.T) {
	d := alone(t)
	g, err := Field(smallprime.Goldilocks(), On(d))
	require.NoError(t, err)
	require.Equal(t, []string{"product64"}, d.room().Compiled())
	p := must(fft.NewPlan[uint64](g, 1<<13, fft.WithOrder(fft.BitReversed)))
	want := []string{"goldilocks_forward_contiguous8", "goldilocks_forward_strided5",
		"goldilocks_inverse_contiguous8", "goldilocks_inverse_strided5", "goldilocks_roots", "product64"}
	require.Equal(t, want, d.room().Compiled())
	x := random(smallprime.Goldilocks(), 1<<13, 1)
	require.NoError(t, p.Forward(x, x))
	v := must(p.NewVec())
	require.NoError(t, p.MulVec(v, v, v))
	require.Equal(t, want, d.room().Compiled())

	digits := alone(t)
	h, err := Field(gfpf.P3(), On(digits))
	require.NoError(t, err)
	q := must(fft.NewPlan(h, 1<<5))
	w := must(q.NewVec())
	require.NoError(t, q.ForwardVec(t.Context(), w))
	require.Equal(t, []string{"digits8_lazy", "digits8_pack", "digits8_product", "digits8_scale", "digits8_table",
		"digits8_unpack", "digits_copy"}, digits.room().Compiled())
}
