package gpu

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// contest is the other side of the question of the theses on generalized Fermat primes, whether one transform modulo a
// prime r^k + 1 is faster than transforms modulo small primes of as many bits: projection of vectors to residues,
// transforms modulo all primes, and Garner's recombination, on the device. See internal/measuring/rns.cu.
type contest struct {
	b       *digits // of r^k + 1
	n, word int     // points, and bytes of a residue
	primes  []uint64

	rows, integers    []uint64   // constants of the primes, and of their products
	residues          bulks.View // planes of n words, one for each prime
	transforms        []*wordTransform
	toResidues        *device.Memory // constants of the kernels
	toInteger, images *device.Memory

	project, garner, image, mixed *device.Function
	fixed                         map[tilePass]*device.Function
}

// newContest makes transforms of n points modulo primes of 30 or of 62 bits, by passes of so many layers if there are.
func newContest(t testing.TB, b *digits, n int, primes []uint64, layers ...int) *contest {
	word := 4
	if primes[0]>>32 != 0 {
		word = 8
	}
	c := &contest{b: b, n: n, word: word, primes: primes, fixed: map[tilePass]*device.Function{}}
	for _, p := range c.primes {
		var w *wordTransform
		if word == 4 {
			f, err := smallprime.New32(uint32(p))
			require.NoError(t, err)
			w = wordsOf(t, (*Device)(b.d), f, n, layers)
		} else {
			f, err := smallprime.New64(p)
			require.NoError(t, err)
			w = wordsOf(t, (*Device)(b.d), f, n, layers)
		}
		c.transforms = append(c.transforms, w)
	}
	var err error
	c.residues, err = c.transforms[0].b.Make(len(primes) * n)
	require.NoError(t, err)
	c.constants(t)

	bits, k := 8*word, b.k
	find := func(module string, name ...any) *device.Function {
		f, err := measuringKernel(b.d, module, fmt.Sprint(name...))
		require.NoError(t, err)
		return f
	}
	c.project = find("rns", "project", bits, "_", k)
	c.garner = find("rns", "garner", bits, "_", k)
	c.mixed = find("rns", "mixed_", k)
	c.image = find("images", "images", bits)
	for _, layers := range []int{5, 6, 8} {
		columns := log2(128 / word)
		c.fixed[tilePass{layers: layers, columns: columns, size: layers + columns}] =
			find("images", "images", bits, "_strided", layers)
	}
	for _, layers := range []int{10, 12} {
		c.fixed[tilePass{layers: layers, size: layers}] = find("images", "images", bits, "_contiguous", layers)
	}
	return c
}

// wordsOf is the cyclic transform of n points over f on a device.
func wordsOf[E any](t testing.TB, d *Device, f field.Rooted[E], n int, layers []int) *wordTransform {
	g, err := Field(f, On(d))
	require.NoError(t, err)
	if layers != nil {
		g.b.(*words).divide = func(int) (all, few []int) { return layers, nil }
	}
	return wholeOf(t, g, log2(n)).(*wordTransform)
}

// constants makes those of the kernels.
func (c *contest) constants(t testing.TB) {
	bits, k, s := uint(8*c.word), c.b.k, len(c.primes)
	r := new(big.Int).SetUint64(c.b.radix[0])
	one := big.NewInt(1)
	modulus := new(big.Int).Exp(r, big.NewInt(int64(k)), nil)
	modulus.Add(modulus, one)
	// pieces are the words of a digit.
	pieces := func(digit uint64) []uint64 {
		const size = 22
		if c.word == 4 {
			return []uint64{digit & (1<<size - 1), digit >> size & (1<<size - 1), digit >> (2 * size)}
		}
		return []uint64{digit}
	}
	var primes, project, mixed, images []uint64
	product := big.NewInt(1)
	var products []*big.Int
	for i, q := range c.primes {
		p := new(big.Int).SetUint64(q)
		word := func(x *big.Int) uint64 { return new(big.Int).Mod(x, p).Uint64() }
		scaled := func(x *big.Int) uint64 { return word(new(big.Int).Lsh(x, bits)) }
		inverse := func(x *big.Int) *big.Int { return new(big.Int).ModInverse(x, p) }
		b := c.transforms[i].b
		primes = append(primes, q, b.inverse, word(new(big.Int).Lsh(one, bits)), b.square)
		images = append(images, c.transforms[i].tables[0].At, q, b.inverse, b.square)

		for power, j := big.NewInt(1), 0; j < k; j++ {
			for m := range pieces(0) {
				project = append(project, scaled(new(big.Int).Lsh(power, uint(22*m))))
			}
			power = new(big.Int).Mul(power, r)
		}

		by := inverse(product)
		for j := range (s + 3) &^ 3 {
			x := new(big.Int)
			if j < i {
				x.Neg(products[j])
			} else if j == i {
				x.Set(one)
			}
			mixed = append(mixed, scaled(x.Mul(x, by)))
		}
		products = append(products, new(big.Int).Set(product))
		product.Mul(product, p)
	}
	for i := range k {
		for _, x := range products {
			x = new(big.Int).Mod(x, modulus)
			x.Div(x, new(big.Int).Exp(r, big.NewInt(int64(i)), nil))
			if i < k-1 {
				x.Mod(x, r)
			}
			if c.integers = append(c.integers, pieces(x.Uint64())...); c.word == 4 {
				c.integers = append(c.integers, 0)
			}
		}
	}
	c.rows = primes
	c.toResidues = uploaded(t, c.b.d, c.word, primes, project)
	c.toInteger = uploaded(t, c.b.d, c.word, primes, mixed, c.integers)
	c.images = uploaded(t, c.b.d, 8, images)
}

// uploaded puts words of so many bytes on the device, some behind others.
func uploaded(t testing.TB, d *device.Device, word int, lists ...[]uint64) *device.Memory {
	list := slices.Concat(lists...)
	m, err := d.Make(word * len(list))
	require.NoError(t, err)
	if word == 4 {
		half := make([]uint32, len(list))
		for i, x := range list {
			half[i] = uint32(x)
		}
		require.NoError(t, d.CopyIn(m.At, unsafe.Pointer(&half[0]), 4*len(half)))
		require.NoError(t, d.Wait(context.Background(), nil))
		return m
	}
	require.NoError(t, d.CopyIn(m.At, unsafe.Pointer(&list[0]), 8*len(list)))
	require.NoError(t, d.Wait(context.Background(), nil))
	return m
}

// at is where residues are.
func (c *contest) at() uint64 { return c.transforms[0].b.at(c.residues) }

// contestThreads is those of a block of project, garner and mixed.
const contestThreads = 256

// elements starts a kernel with a thread for each element.
func (c *contest) elements(s *device.Stream, f *device.Function, shared int, args ...uint64) error {
	return c.b.start(s, f, [2]int{(c.n + contestThreads - 1) / contestThreads, 1}, contestThreads, shared, args...)
}

// toPlanes projects v to residues.
func (c *contest) toPlanes(s *device.Stream, v bulks.View) error {
	return c.elements(s, c.project, c.shared(c.toResidues), c.at(), uint64(c.n), c.b.at(v), c.b.pitch(v), uint64(c.n),
		uint64(len(c.primes)), c.toResidues.At)
}

// toElements recombines residues, modulo r^k + 1.
func (c *contest) toElements(s *device.Stream, v bulks.View) error {
	return c.elements(s, c.garner, c.shared(c.toInteger), c.b.at(v), c.b.pitch(v), c.at(), uint64(c.n), uint64(c.n),
		c.toInteger.At)
}

// toWords takes residues modulo 2k primes for digits in mixed radix.
func (c *contest) toWords(s *device.Stream, v bulks.View, primes *device.Memory) error {
	return c.elements(s, c.mixed, 0, c.b.at(v), c.b.pitch(v), c.at(), uint64(c.n), uint64(c.n), primes.At)
}

// shared is the bytes of the constants that blocks keep.
func (c *contest) shared(m *device.Memory) int {
	s, k := len(c.primes), c.b.k
	switch {
	case m == c.toResidues && c.word == 4:
		return 4 * s * (4 + 3*k)
	case m == c.toResidues:
		return 8 * s * (4 + k)
	case c.word == 4:
		return 4 * (s*(4+(s+3)&^3) + 4*s*k)
	}
	return 8 * (s*(4+(s+3)&^3) + s*k)
}

// transformed transforms residues modulo all primes at once, in natural order.
func (c *contest) transformed(s *device.Stream) error {
	t := c.transforms[0]
	for i, p := range t.passes {
		flags := c.transforms[0].heaps
		if i == len(t.passes)-1 {
			flags |= flagCanonical
		}
		if len(t.passes) == 1 {
			flags |= flagNatural
		}
		grid, threads, shared := [2]int{p.blocks(c.n), len(c.primes)}, 1<<(p.size-eachThread), tileBytes(p.size, c.word)
		f := c.fixed[tilePass{layers: p.layers, columns: p.columns, size: p.size}]
		var err error
		if f != nil && c.n%(1<<p.size) == 0 {
			err = c.b.d.Launch(s, f, grid, threads, shared, c.at(), uint64(c.n), c.images.At,
				uint64(p.first), uint64(p.stride), flags)
		} else {
			err = c.b.d.Launch(s, c.image, grid, threads, shared, c.at(), uint64(c.n), c.images.At,
				uint64(c.n), uint64(p.first), uint64(p.layers), uint64(p.columns), uint64(p.stride), uint64(p.size),
				flags)
		}
		if err != nil {
			return err
		}
	}
	if len(t.passes) == 1 {
		return nil
	}
	return t.b.reversed(s, c.residues, t.n)
}

// apart transforms residues modulo one prime after the other, in natural order.
func (c *contest) apart(s *device.Stream) error {
	for i, t := range c.transforms {
		if err := t.Start(context.Background(), s, callOf(c.plane(i), true, false)); err != nil {
			return err
		}
	}
	return nil
}

// plane is the residues modulo prime i.
func (c *contest) plane(i int) bulks.View { return c.residues.Slice(i*c.n, (i+1)*c.n) }

// release ends the contest.
func (c *contest) release() {
	memory(c.residues).Release()
	for _, t := range c.transforms {
		t.tables[0].Release()
		t.tables[1].Release()
	}
}

// get returns the residues, prime by prime.
func (c *contest) get(t testing.TB) []uint64 {
	x := make([]uint64, c.residues.N)
	half := make([]uint32, len(x))
	to := unsafe.Pointer(&x[0])
	if c.word == 4 {
		to = unsafe.Pointer(&half[0])
	}
	require.NoError(t, c.b.d.Stream().CopyOut(to, driver.Pointer(c.at()), c.word*len(x), nil))
	require.NoError(t, c.b.d.Wait(context.Background(), nil))
	if c.word == 4 {
		for i, v := range half {
			x[i] = uint64(v)
		}
	}
	return x
}

// set puts residues on the device.
func (c *contest) set(t testing.TB, x []uint64) {
	m := uploaded(t, c.b.d, c.word, x)
	require.NoError(t, c.b.d.Stream().Copy(driver.Pointer(c.at()), driver.Pointer(m.At), c.word*len(x)))
	require.NoError(t, c.b.d.Wait(context.Background(), nil))
	require.NoError(t, m.Release())
}

// modulus is the product of the primes.
func (c *contest) modulus() *big.Int {
	m := big.NewInt(1)
	for _, p := range c.primes {
		m.Mul(m, new(big.Int).SetUint64(p))
	}
	return m
}

// contestBits are those of the primes. There are as few of 30 bits as of 31 for P3, 17, and one more for P4, 34 and 33;
// transforms modulo those below 2^30 reduce less.
var contestBits = []int{30, 62}

// fewest are primes below 2^bits with a product above x.
func fewest(t testing.TB, bits, adicity int, x *big.Int) []uint64 {
	for s := 1; ; s++ {
		primes, err := crt.Primes(t.Context(), bits, adicity, s)
		require.NoError(t, err)
		if (&contest{primes: primes}).modulus().Cmp(x) > 0 {
			return primes
		}
	}
}

// Projection and recombination are those of math/big.
func TestContest(t *testing.T) {
	t.Run("P3", func(t *testing.T) { combines(t, gfpf.P3()) })
	t.Run("P4", func(t *testing.T) { combines(t, gfpf.P4()) })
}

func combines[E gfpf.Digits](t *testing.T, f *gfpf.Field[E]) {
	b := opened(t, f, leastShared).b.(*digits)
	r := rand.New(rand.NewPCG(1, 2))
	const n = 512
	v, w := pairOf(t, b, n)
	x, y := edges(f, r, n), make([]E, n)
	for _, bits := range contestBits {
		c := newContest(t, b, n, fewest(t, bits, log2(n), f.Characteristic()))
		stream := b.d.Stream()
		b.Pack(v, bulks.ViewOf(x))
		require.NoError(t, c.toPlanes(stream, v))
		got := c.get(t)
		for i := range x {
			a, rest := f.Big(new(big.Int), &x[i]), new(big.Int)
			for j, p := range c.primes {
				rest.Mod(a, rest.SetUint64(p))
				require.Equal(t, rest.Uint64(), got[j*n+i], "element %d modulo %d", i, p)
			}
		}
		require.NoError(t, c.toElements(stream, w))
		b.Unpack(bulks.ViewOf(y), w)
		require.NoError(t, b.d.Wait(context.Background(), nil))
		require.True(t, slices.Equal(x, y), "there and back")

		// Integers up to M − 1, which are beyond the big prime.
		m, residues := c.modulus(), make([]uint64, n*len(c.primes))
		integers := make([]*big.Int, n)
		for i := range integers {
			a := new(big.Int)
			switch {
			case i < 4:
				a.Add(f.Characteristic(), big.NewInt(int64(i-2)))
			case i < 8:
				a.Sub(m, big.NewInt(int64(i-3)))
			case i < 16:
				a.Mul(f.Characteristic(), big.NewInt(int64(i)))
				a.Sub(a, big.NewInt(1))
				a.Mod(a, m)
			default:
				for j := 0; j < 20; j++ {
					a.Lsh(a, 64)
					a.Add(a, new(big.Int).SetUint64(r.Uint64()))
				}
				a.Mod(a, m)
			}
			integers[i] = a
			for j, p := range c.primes {
				residues[j*n+i] = new(big.Int).Mod(a, new(big.Int).SetUint64(p)).Uint64()
			}
		}
		c.set(t, residues)
		require.NoError(t, c.toElements(stream, w))
		b.Unpack(bulks.ViewOf(y), w)
		require.NoError(t, b.d.Wait(context.Background(), nil))
		for i, a := range integers {
			var want E
			require.NoError(t, f.SetBig(&want, a.Mod(a, f.Characteristic())))
			require.Equal(t, want, y[i], "%d bits, integer %d", bits, i)
		}
		extremes(t, f, c, v, w)
		c.release()
	}
	mixes(t, b, v)
}

// extremes checks sums of products that are as large as they can be: with all constants p − 1, which stand for
// −1/2^b.
func extremes[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], c *contest, v, w bulks.View) {
	b, k, s, n := c.b, c.b.k, len(c.primes), c.n
	same := func(of, by int) (list []uint64) {
		for _, p := range c.primes {
			for range (of + by - 1) / by * by {
				list = append(list, p-1)
			}
		}
		return list
	}
	// by multiplies x by −1/2^b, modulo p.
	by := func(x *big.Int, p uint64) uint64 {
		q := new(big.Int).SetUint64(p)
		z := new(big.Int).Lsh(big.NewInt(1), uint(8*c.word))
		z.ModInverse(z, q).Mul(z, x).Neg(z)
		return z.Mod(z, q).Uint64()
	}
	x, y := make([]E, n), make([]E, n)
	for i := range x {
		for j := range k {
			digitsOf(x[i:][:1])[j] = f.Radix() - 1 - uint64(i)
		}
	}
	words := k
	if c.word == 4 {
		words *= 3
	}
	c.toResidues = uploaded(t, b.d, c.word, c.rows, same(words, 1))
	b.Pack(v, bulks.ViewOf(x))
	require.NoError(t, c.toPlanes(b.d.Stream(), v))
	got := c.get(t)
	for i := range x {
		sum := new(big.Int)
		for _, a := range digitsOf(x[i:][:1]) {
			if c.word == 4 {
				a = a&(1<<22-1) + a>>22&(1<<22-1) + a>>44
			}
			sum.Add(sum, new(big.Int).SetUint64(a))
		}
		for j, p := range c.primes {
			require.Equal(t, by(sum, p), got[j*n+i], "element %d modulo %d", i, p)
		}
	}

	c.toInteger = uploaded(t, b.d, c.word, c.rows, same(s, 4), c.integers)
	residues, want := make([]uint64, n*s), make([]E, n)
	for i := range n {
		sum, all, product := new(big.Int), new(big.Int), big.NewInt(1)
		for j, p := range c.primes {
			// A residue for which the digit is p − 1 − i: −sum/2^b = p − 1 − i.
			d, q := new(big.Int).SetUint64(p-1-uint64(i)), new(big.Int).SetUint64(p)
			x := new(big.Int).Lsh(d, uint(8*c.word))
			x.Add(x, sum).Neg(x).Mod(x, q)
			residues[j*n+i] = x.Uint64()
			sum.Add(sum, d)
			all.Add(all, d.Mul(d, product))
			product.Mul(product, q)
		}
		require.NoError(t, f.SetBig(&want[i], all.Mod(all, f.Characteristic())))
	}
	c.set(t, residues)
	require.NoError(t, c.toElements(b.d.Stream(), w))
	b.Unpack(bulks.ViewOf(y), w)
	require.NoError(t, b.d.Wait(context.Background(), nil))
	require.Equal(t, want, y)
}

// mixes checks the combination of Benchmark 1.
func mixes(t *testing.T, b *digits, v bulks.View) {
	c := newContest(t, b, v.N, must(crt.Primes(t.Context(), 30, 20, 2*b.k)))
	r := rand.New(rand.NewPCG(3, 4))
	x := make([]uint64, c.residues.N)
	for i := range x {
		x[i] = r.Uint64N(c.primes[i/c.n])
		if i%c.n < 4 {
			x[i] = []uint64{0, 1, c.primes[i/c.n] - 1, uint64(i / c.n)}[i%c.n]
		}
	}
	c.set(t, x)
	primes := uploaded(t, b.d, 4, c.primes)
	require.NoError(t, c.toWords(b.d.Stream(), v, primes))
	pitch := int(b.pitch(v))
	words := make([]uint64, pitch*b.k)
	require.NoError(t, b.d.Stream().CopyOut(unsafe.Pointer(&words[0]), driver.Pointer(b.at(v)), 8*len(words), nil))
	require.NoError(t, b.d.Wait(context.Background(), nil))
	for i := range c.n {
		want, got := new(big.Int), new(big.Int)
		for j := len(c.primes) - 1; j >= 0; j-- {
			want.Mul(want, new(big.Int).SetUint64(c.primes[j]))
			want.Add(want, new(big.Int).SetUint64(x[j*c.n+i]))
		}
		for j := b.k - 1; j >= 0; j-- {
			got.Lsh(got, 64)
			got.Add(got, new(big.Int).SetUint64(words[j*pitch+i]))
		}
		require.Zero(t, want.Cmp(got), "element %d", i)
	}
	c.release()
}

// Transforms modulo all primes at once are those modulo one after the other.
func TestContestImages(t *testing.T) {
	b := opened(t, gfpf.P3(), 0).b.(*digits)
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range contestBits {
		for _, layers := range [][]int{{8}, {10}, {12}, {5, 10}, {6, 10}, {8, 8}} {
			n := 0
			for _, l := range layers {
				n += l
			}
			func() {
				c := newContest(t, b, 1<<n, must(crt.Primes(t.Context(), bits, 20, 3)), layers...)
				defer c.release()
				x := make([]uint64, c.residues.N)
				for i := range x {
					x[i] = r.Uint64N(c.primes[i>>n])
				}
				c.set(t, x)
				require.NoError(t, c.transformed(b.d.Stream()))
				got := c.get(t)
				c.set(t, x)
				require.NoError(t, c.apart(b.d.Stream()))
				require.True(t, slices.Equal(c.get(t), got), "%d bits, layers %v", bits, layers)
			}()
		}
	}
}

// BenchmarkContest prints what the tables of the theses do: times of one transform modulo a big prime, and of those
// modulo small primes, in natural order, with ratios above 1 where the big prime wins.
//
//   - The whole contest: projection, images, Garner's recombination, with the fewest primes of 30 and of 62 bits whose
//     product is above the big prime.
//   - Benchmark 2 of D. Mohajerani's thesis: images alone, modulo 2k primes of 30 bits, whose vectors have as many
//     bytes.
//   - Benchmark 1: the same, and the kernel mixed of internal/measuring/rns.cu, which recombines nothing.
func BenchmarkContest(b *testing.B) {
	realDevice(b)
	measureContest(b, gfpf.P3(), 5)
	measureContest(b, gfpf.P4(), 4)
}

func measureContest[E gfpf.Digits](t *testing.B, f *gfpf.Field[E], most int) {
	g := gpuField[E](t, f)
	b := g.b.(*digits)
	for _, n := range powersOf(b, most) {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		v, w := pairOf(t, b, n)
		b.Pack(v, bulks.ViewOf(edges(f, r, n)))
		whole := pointsOf(t, g, must(field.NewCyclic(g, n)), func(*schemes.Points) error { return nil })
		big := measured(t, b.d, func() error { return whole.Run(context.Background(), v, field.Natural, false) })
		name := fmt.Sprintf("%s 2^%d", f.Name(), log2(n))
		fmt.Printf("%s: big %.4f ms\n", name, big)
		for _, bits := range contestBits {
			c := newContest(t, b, n, fewest(t, bits, 20, f.Characteristic()))
			project := func(s *device.Stream) error { return c.toPlanes(s, v) }
			garner := func(s *device.Stream) error { return c.toElements(s, w) }
			total := b.median(t, v, project, c.transformed, garner)
			fmt.Printf("%s: %d x %d bits: project %.4f images %.4f (one by one %.4f) Garner %.4f total %.4f ms, %.2f\n",
				name, len(c.primes), bits, b.median(t, v, project),
				b.median(t, v, c.transformed), b.median(t, v, c.apart),
				b.median(t, v, garner), total, total/big)
			c.release()
		}
		c := newContest(t, b, n, must(crt.Primes(t.Context(), 30, 20, 2*b.k)))
		primes := uploaded(t, b.d, 4, c.primes)
		x := make([]uint64, c.residues.N)
		for i := range x {
			x[i] = r.Uint64N(c.primes[i/n])
		}
		c.set(t, x)
		images, apart := b.median(t, v, c.transformed), b.median(t, v, c.apart)
		mixed := b.median(t, v, c.transformed, func(s *device.Stream) error { return c.toWords(s, w, primes) })
		fmt.Printf("%s: %d x 30 bits: Benchmark 2 %.4f ms, %.2f (one by one %.4f, %.2f), Benchmark 1 %.4f ms, %.2f\n",
			name, len(c.primes), images, images/big, apart, apart/big, mixed, mixed/big)
		c.release()
		require.NoError(t, b.Release(v))
		require.NoError(t, b.Release(w))
	}
}
