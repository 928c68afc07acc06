package main

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/galfft/fft/bench/registercache/forms"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/device"
)

// form is a way of products of polynomials, or over a field.
type form struct {
	name   string
	size   int // of a block of rows that a warp has in registers, 0 for none
	place  bool
	native int // the one number of rows that the kernel is for, 0 for any
}

// rows is those of elements of so many bits.
func rows(bits int) int { return (bits + 31) / 32 * 32 }

// shape is the kernel for so many chunks, and its arguments between chunks and the modulus.
func (f form) shape(prefix string, rows, chunks int) (k kernel, more []uint64) {
	const threads = 256
	switch {
	case f.size == 0 && f.native > 0: // a thread a row
		const chunksOfBlock = 4
		k = kernel{fmt.Sprint(prefix, f.name, "_", rows), 0, chunksOfBlock * rows, chunksOfBlock * 8 * rows}
		k.grid = (chunks + chunksOfBlock - 1) / chunksOfBlock
	case f.native > 0: // a warp a chunk
		k = kernel{fmt.Sprint(prefix, f.name, "_", rows), (chunks + threads/32 - 1) / (threads / 32), threads, 0}
	default:
		size := max(f.size, 32)
		blocks := (rows + size - 1) / size
		warps, bytes := min(blocks, 32), 16
		if f.place {
			bytes = 8
		}
		groups := max(1, threads/(32*warps))
		k = kernel{prefix + f.name, (chunks + groups - 1) / groups, 32 * warps * groups, bytes * blocks * size * groups}
		more = []uint64{uint64(warps)}
	}
	return k, more
}

// accesses is the words of shared memory that 32 products read and write, before a reduction.
func (f form) accesses(rows int) int {
	switch {
	case f.size == 0:
		return 2*rows*rows + 2*rows
	case f.native > 0:
		return 0
	}
	blocks := (rows + f.size - 1) / f.size
	all := blocks * f.size
	sums := 2 * 2 * f.size * blocks * blocks // two halves of each product of blocks are read and written
	reads := all + all*blocks                // of x once, of y by each warp
	if f.place {
		return 2*all + reads + sums + 2*all + 2*all // in, zeros of both, out
	}
	return 2*all + 2*all + reads + sums + 2*all
}

// sample is random pairs, of bits each, with the edges first.
func sample(bits, n int, seed uint64) (x []uint32) {
	r := rand.New(rand.NewPCG(seed, uint64(bits)))
	words := (bits + 31) / 32
	for i := range n {
		for w := range words {
			v := r.Uint32()
			switch i {
			case 0:
				v = 0
			case 1:
				v = ^uint32(0)
			case 2:
				v = 0
				if w == 0 {
					v = 1
				}
			}
			if rest := bits - 32*w; rest < 32 {
				v &= 1<<rest - 1
			}
			x = append(x, v)
		}
	}
	return x
}

// numbers are elements of so many words of 32 bits, for a field of degree at least 32·words.
func numbers(x []uint32, words int) []binary.Number {
	list := make([]binary.Number, len(x)/words)
	for i := range list {
		list[i] = make(binary.Number, (words+1)/2)
		for w, v := range x[i*words:][:words] {
			list[i][w/2] |= uint64(v) << (32 * (w % 2))
		}
	}
	return list
}

// products are those over a field, as words.
func products(f *binary.Field[binary.Number], x, y []uint32, words, out int) []uint32 {
	a, b := numbers(x, words), numbers(y, words)
	z := make([]uint32, len(a)*out)
	apart(len(a), func(from, to int) {
		for i := from; i < to; i++ {
			for _, e := range []*binary.Number{&a[i], &b[i]} { // of a field with more bits
				for len(*e) < (f.Degree()+63)/64 {
					*e = append(*e, 0)
				}
			}
			var p binary.Number
			f.Mul(&p, &a[i], &b[i])
			for w := range out {
				z[i*out+w] = uint32(p[w/2] >> (32 * (w % 2)))
			}
		}
	})
	return z
}

// apart runs parts of n things on all processors.
func apart(n int, do func(from, to int)) {
	var all sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for p := range parts {
		all.Go(func() { do(n*p/parts, n*(p+1)/parts) })
	}
	all.Wait()
}

// pairs is a sample on the device, in chunks, and the products that are wanted.
type pairs struct {
	s              *session
	bits, out      int // of operands and of products
	n              int
	x, y, z, plain *device.Memory
	want           []uint32
}

func (s *session) pairs(f *binary.Field[binary.Number], bits, out int) (p *pairs, err error) {
	p = &pairs{s: s, bits: bits, out: out, n: s.checked}
	words, outWords := (bits+31)/32, (out+31)/32
	x, y := sample(bits, p.n, 1), sample(bits, p.n, 2)
	for i := range min(4, p.n/2) { // edges by others
		for w := range words {
			a, b := &y[i*words+w], &y[(min(7, p.n-1)-i)*words+w]
			*a, *b = *b, *a
		}
	}
	p.want = products(f, x, y, words, outWords)
	chunks := (p.n + 31) / 32
	for i, m := range []**device.Memory{&p.x, &p.y} {
		a, e := s.put([][]uint32{x, y}[i], len(x))
		if err = cmp.Or(err, e); err != nil {
			return nil, err
		}
		if *m, err = s.d.Make(4 * chunks * rows(bits)); err != nil {
			return nil, err
		}
		slice, err := s.launch(warps("slice", chunks), (*m).At, a.At, uint64(bits), uint64(p.n), uint64(words))
		if err != nil {
			return nil, err
		}
		if err = cmp.Or(slice(), a.Release()); err != nil {
			return nil, err
		}
	}
	p.z, err = s.put([]uint32{0xa5a5a5a5}, chunks*rows(out))
	if err != nil {
		return nil, err
	}
	p.plain, err = s.d.Make(4 * p.n * outWords)
	return p, err
}

func (p *pairs) release() error { return release(p.x, p.y, p.z, p.plain) }

// checked compares all products by a kernel. args are behind the number of chunks.
func (p *pairs) checked(k kernel, args []uint64) error {
	chunks := (p.n + 31) / 32
	c, err := p.s.launch(k, append([]uint64{p.z.At, p.x.At, p.y.At, uint64(chunks)}, args...)...)
	if err != nil {
		return err
	}
	words := (p.out + 31) / 32
	back, err := p.s.launch(each("unslice", p.n), p.plain.At, p.z.At, uint64(p.out), uint64(p.n), uint64(words))
	if err != nil {
		return err
	}
	err = p.s.compared(func() error { return cmp.Or(c(), back()) }, p.plain, p.want)
	if err != nil {
		return fmt.Errorf("%s of %d bits: %w", k.name, p.bits, err)
	}
	return nil
}

// timed prints a line of n products by a form whose kernel was checked, on the sample over and over: the first products
// are compared with those of the processor, and all others with the ones a sample before.
func (p *pairs) timed(f form, prefix string, n int, args func(more []uint64) []uint64, l line) error {
	s, chunks := p.s, (n+31)/32
	k, more := f.shape(prefix, rows(p.bits), chunks)
	var at [3]*device.Memory
	for i, m := range []*device.Memory{nil, p.x, p.y} {
		bits := p.bits
		if i == 0 {
			bits = p.out
		}
		var x []uint32
		var err error
		if m == nil {
			x = []uint32{1}
		} else if x, err = s.get(m, p.n/32*rows(bits)); err != nil { // whole chunks
			return err
		}
		if at[i], err = s.put(x, chunks*rows(bits)); err != nil {
			return err
		}
	}
	c, err := s.launch(k, append([]uint64{at[0].At, at[1].At, at[2].At, uint64(chunks)}, args(more)...)...)
	if err != nil {
		return err
	}
	l.Form, l.Bits, l.N = f.name, p.bits, n
	if err := s.report(l, k, c); err != nil {
		return err
	}
	period := p.n / 32 * rows(p.out)
	want, err := s.get(p.z, period)
	if err == nil {
		err = s.periodic(at[0], want, chunks*rows(p.out))
	}
	if err != nil {
		return fmt.Errorf("%d products of %d bits, %s: %w", n, p.bits, k.name, err)
	}
	return release(at[:]...)
}

// rings are products of polynomials, table 6.1.
func rings(s *session) error {
	counts, err := plans()
	if err != nil {
		return err
	}
	var all []int
	for _, n := range []int{32, 64, 96, 128, 256, 512, 1024} {
		if n <= s.bits {
			all = append(all, n)
		}
	}
	return steps(s, all, alike, func(n int) error { return s.ring(n, counts) })
}

// ring is products of polynomials of n coefficients; counts are plans.
func (s *session) ring(n int, counts map[string]int) error {
	f, err := binary.New[binary.Number](2 * n)
	if err != nil {
		return err
	}
	p, err := s.pairs(f, n, 2*n)
	if err != nil {
		return err
	}
	list := []form{{"hybrid32", 32, false, 0}, {"hybrid64", 64, false, 0}, {"place32", 32, true, 0},
		{"place64", 64, true, 0}}
	if slices.Contains(forms.Rings, n) {
		list = append(list, form{"shared", 0, false, n}, form{"naive", 0, false, n}, form{"cache", n, false, n})
	}
	if slices.Contains(forms.Naives, n) {
		list = append(list, form{"cachenaive", n, false, n})
	}
	for _, f := range list {
		if f.native == 0 && f.size > n {
			continue
		}
		arguments := func(more []uint64) []uint64 {
			if f.native > 0 {
				return nil
			}
			return append([]uint64{uint64(n)}, more...)
		}
		k, more := f.shape("ring_", n, (p.n+31)/32)
		if err := p.checked(k, arguments(more)); err != nil {
			return err
		}
		l := line{Accesses: f.accesses(n)}
		switch block := min(max(f.size, 32), n); {
		case f.name == "cachenaive":
			l.Shuffles = counts[fmt.Sprint("naive ring ", n)]
		case f.size > 0:
			blocks := (n + block - 1) / block
			l.Shuffles = counts[fmt.Sprint("ring ", block)] * blocks * blocks
		}
		pairs := 1 << min(22, s.most)
		if n > 128 {
			pairs = 1 << min(19, s.most)
		}
		if err := p.timed(f, "ring_", pairs, arguments, l); err != nil {
			return err
		}
	}
	return p.release()
}

// plans is the shuffles of each form of exchanges.
func plans() (map[string]int, error) {
	all, err := forms.All()
	m := map[string]int{}
	for _, f := range all {
		m[f.Name] = f.Plan.Counts().Shuffles
	}
	return m, err
}

// tapsOf is the exponents of a modulus between the highest and 0, as kernels have them: 16 bits each, the highest
// first.
func tapsOf(m *big.Int) (taps uint64, err error) {
	at := 0
	for e := m.BitLen() - 2; e > 0; e-- {
		if m.Bit(e) == 1 {
			if at == 64 {
				return 0, fmt.Errorf("modulus %x has more than five terms", m)
			}
			taps |= uint64(e) << at
			at += 16
		}
	}
	return taps, nil
}

// fieldForms are those of products over GF(2^n). Blocks of 64, which spill, are left out where they take long.
func fieldForms(n int) []form {
	list := []form{{"shared", 0, false, 0}, {"hybrid32", 32, false, 0}}
	if n > 32 && n <= shortBits && n%32 == 0 {
		list = append(list, form{"hybrid64", 64, false, 0})
	}
	if n == 32 || n == 64 {
		list = append(list, form{"cache", n, false, n})
	}
	return list
}

// Bits of fields up to which blocks of 64 are measured, and neighbours of multiples of 32 at as many pairs as these:
// all takes ten minutes at most.
const shortBits = 512

// degrees are the multiples of 32 up to most, each with its neighbours: one bit less and one more.
func degrees(most int) (list []int) {
	for n := 32; n <= most; n += 32 {
		for d := -1; d <= 1; d++ {
			if n+d <= most {
				list = append(list, n+d)
			}
		}
	}
	return list
}

// lengthsOf are numbers of pairs over GF(2^n): by powers of two for n = 32 and 64, else 2^23, and 2^18 of neighbours of
// multiples of 32 that are not short.
func lengthsOf(n, most int) (list []int) {
	switch {
	case n == 32 || n == 64:
		for log := min(10, most); log <= most; log++ {
			list = append(list, 1<<log)
		}
		return list
	case n%32 != 0 && n > shortBits:
		return []int{1 << min(18, most)}
	}
	return []int{1 << min(23, most)}
}

// fields are products over GF(2^n): by the number of pairs for n = 32 and 64, by n, and beside multiples of 32.
func fields(s *session) error {
	return steps(s, degrees(s.bits), alike, s.field)
}

func (s *session) field(n int) error {
	f, err := binary.New[binary.Number](n)
	if err != nil {
		return err
	}
	taps, err := tapsOf(f.Modulus())
	if err != nil {
		return err
	}
	p, err := s.pairs(f, n, n)
	if err != nil {
		return err
	}
	for _, f := range fieldForms(n) {
		arguments := func(more []uint64) []uint64 {
			if f.native > 0 {
				return nil
			}
			return append(append([]uint64{uint64(n)}, more...), taps)
		}
		k, more := f.shape("field_", rows(n), (p.n+31)/32)
		if err := p.checked(k, arguments(more)); err != nil {
			return err
		}
		for _, pairs := range lengthsOf(n, s.most) {
			if err := p.timed(f, "field_", pairs, arguments, line{Accesses: f.accesses(rows(n))}); err != nil {
				return err
			}
		}
	}
	return p.release()
}

// conversions are those between elements and chunks.
func conversions(s *session) error {
	n := 1 << min(23, s.most)
	for _, bits := range []int{32, 64} {
		words, chunks := bits/32, (n+31)/32
		from, err := s.put(sample(bits, min(n, 1<<10), 3), n*words)
		if err != nil {
			return err
		}
		to, err := s.put([]uint32{1}, n*words)
		if err != nil {
			return err
		}
		for _, k := range []kernel{warps("slice", chunks), each("unslice", n)} {
			c, err := s.launch(k, to.At, from.At, uint64(bits), uint64(n), uint64(words))
			if err != nil {
				return err
			}
			if err := s.report(line{Form: k.name, Bits: bits, N: n}, k, c); err != nil {
				return err
			}
		}
		if err := release(from, to); err != nil {
			return err
		}
	}
	return nil
}
