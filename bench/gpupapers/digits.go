package main

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/device"
)

const (
	planes   = "planes"
	elements = "elements"
)

var layouts = []string{planes, elements}

// digits is a field of k digits on the device.
type digits[E gfpf.Digits] struct {
	s     *session
	f     *gfpf.Field[E]
	k     int
	radix []uint64
}

func newDigits[E gfpf.Digits](s *session, f *gfpf.Field[E]) *digits[E] {
	var e E
	k := len(e)
	return &digits[E]{s, f, k, radixOf(f.Radix(), k)}
}

// radixOf is the arguments RADIX of kernels/cuda/digitkernels.cuh.
func radixOf(r uint64, k int) []uint64 {
	d := r << bits.LeadingZeros64(r)
	reciprocal, _ := bits.Div64(^d, 1<<64-1, d)
	a := new(big.Int).SetUint64(r)
	a.Add(a, big.NewInt(2)).Mul(a, big.NewInt(int64(k)))
	offset := new(big.Int).SetUint64(r - 1)
	offset.Mul(offset, a)
	list := []uint64{r, reciprocal}
	for _, part := range []struct {
		x     *big.Int
		words int
	}{{offset, 3}, {a.Lsh(a, 1), 2}} {
		for i := range part.words {
			w := new(big.Int).Rsh(part.x, uint(64*i))
			list = append(list, w.And(w, new(big.Int).SetUint64(1<<64-1)).Uint64())
		}
	}
	return list
}

// words are the digits of x in a layout.
func (g *digits[E]) words(x []E, layout string) []uint64 {
	own := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*g.k)
	if layout == elements {
		return own
	}
	w := make([]uint64, len(own))
	for i := range x {
		for d := range g.k {
			w[d*len(x)+i] = own[i*g.k+d]
		}
	}
	return w
}

// put makes a vector of x, get has its elements. Pitches are lengths.
func (g *digits[E]) put(x []E, layout string) (*device.Memory, error) {
	m, err := g.s.memory(len(x) * g.k)
	if err != nil {
		return nil, err
	}
	return m, put(g.s, m, g.words(x, layout))
}

func (g *digits[E]) get(m *device.Memory, n int, layout string) ([]E, error) {
	x := make([]E, n)
	own := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), n*g.k)
	if layout == elements {
		return x, get(g.s, own, m)
	}
	w := make([]uint64, len(own))
	if err := get(g.s, w, m); err != nil {
		return nil, err
	}
	for i := range x {
		for d := range g.k {
			own[i*g.k+d] = w[d*n+i]
		}
	}
	return x, nil
}

// same is an error where a vector is not as the processor has it.
func (g *digits[E]) same(what string, m *device.Memory, want []E, layout string) error {
	got, err := g.get(m, len(want), layout)
	if err != nil {
		return err
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("%s, %s, %s: element %d of %d is not that of the processor", g.f.Name(), what, layout, i,
				len(want))
		}
	}
	return nil
}

// samples are n elements: 0, 1, −1, −2 and their products by powers of r, and others.
func (g *digits[E]) samples(n int, seed uint64) []E {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	var edges [12]E
	g.f.One(&edges[1])
	g.f.Neg(&edges[2], &edges[1])
	g.f.Sub(&edges[3], &edges[2], &edges[1])
	for i := 4; i < len(edges); i++ {
		g.f.Shift(&edges[i], &edges[i%4], r.Uint64())
	}
	x := make([]E, n)
	for i := range x {
		if g.f.Random(&x[i], r); i < 256 {
			x[i] = edges[r.IntN(len(edges))]
		}
	}
	return x
}

// threadsOf is those of a block whose threads keep elements in shared memory.
const threadsOf = 128

// each is a kernel of a thread for each of n things, each of which keeps so many elements in shared memory.
func (g *digits[E]) each(name string, layout string, n, threads, kept int) kernel {
	name = fmt.Sprint(name, g.k, "_", layout)
	return kernel{name, [2]int{(n + threads - 1) / threads, 1}, threads, 8 * g.k * kept * threads}
}
