package gfpf

import (
	"cmp"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/kernels/digits"
)

// prime is what fields share, whatever their type of elements.
type prime struct {
	ring
	name  string
	tiles *bulk // with the kernels that there were when the field was made

	largest atomic.Pointer[largest] // see rootOfTwo; nil at first
}

func (f *prime) init(r uint64, k int) {
	f.ring, f.name = newRing(r, k), Name(r, k)
	f.tiles = newBulk(&f.ring, digits.Active())
}

var (
	errNil     = fmt.Errorf("fft: %w: a field that is nil or zero, want one that a constructor made", field.ErrSpec)
	errElement = fmt.Errorf("fft: %w: the element is nil", field.ErrSpec)
)

// check is an ErrSpec for the zero value.
func (f *prime) check() error {
	if f.p == nil {
		return errNil
	}
	return nil
}

// operands is an ErrSpec for the zero value, and where an element is nil.
func (f *prime) operands(isNil bool) error {
	if isNil {
		return errElement
	}
	return f.check()
}

// Radix returns r.
func (f *prime) Radix() uint64 { return f.r }

// Name returns the name of the preset, or gfpf:r:k.
func (f *prime) Name() string { return f.name }

// Characteristic returns p.
func (f *prime) Characteristic() *big.Int { return new(big.Int).Set(f.p) }

// Order returns p.
func (f *prime) Order() *big.Int { return f.Characteristic() }

// random draws digits uniformly.
func (f *prime) random(w []uint64, r *rand.Rand) {
	for {
		low := uint64(0) // all digits but the last, together
		for i := range f.k - 1 {
			w[i] = r.Uint64N(f.r)
			low |= w[i]
		}
		if w[f.k-1] = r.Uint64N(f.r + 1); w[f.k-1] < f.r || low == 0 {
			return
		}
	}
}

// modulus returns r^k + 1.
func modulus(r uint64, k int) *big.Int {
	p := new(big.Int).SetUint64(r)
	return p.Exp(p, big.NewInt(int64(k)), nil).Add(p, big.NewInt(1))
}

// checkPrime returns an ErrModulus unless p = r^k + 1 is a prime that a field of this package serves.
func checkPrime(r uint64, k int, p *big.Int) error {
	switch {
	case r <= uint64(4*k):
		return fmt.Errorf("fft: %w: radix %d, want more than %d for %d digits", field.ErrModulus, r, 4*k, k)
	case !isPrime(r, k, p):
		return fmt.Errorf("fft: %w: (%s)^%d + 1 is composite, want a prime", field.ErrModulus, RadixText(r), k)
	}
	return nil
}

// isPrime decides whether p = r^k + 1 is prime, k a power of two, by Pocklington's theorem: where F > √p divides p − 1,
// and for every prime q that divides F there is an a with a^(p−1) = 1 and a^((p−1)/q) − 1 prime to p, all prime factors
// of p are 1 modulo F, and p is prime. The factors of p − 1 are those of r.
func isPrime(r uint64, k int, p *big.Int) bool {
	if r%2 == 1 || hasSmallFactor(r, k) {
		return false
	}
	less := new(big.Int).Sub(p, big.NewInt(1))
	root, found := new(big.Int).Sqrt(p), big.NewInt(1)
	primes := factor.Primes(r)
	slices.SortFunc(primes, func(a, b uint64) int { return cmp.Compare(factor.Part(r, b), factor.Part(r, a)) })
	for _, q := range primes {
		if found.Cmp(root) > 0 {
			break
		}
		if !hasWitness(q, p, less) {
			return false
		}
		part := new(big.Int).SetUint64(factor.Part(r, q))
		found.Mul(found, part.Exp(part, big.NewInt(int64(k)), nil))
	}
	return true
}

// hasWitness looks for the a of Pocklington's theorem. In a field one of q bases fails, of any q, so that
// to look at many is to prove p composite.
func hasWitness(q uint64, p, less *big.Int) bool {
	const tries = 200
	one := big.NewInt(1)
	e := new(big.Int).Div(less, new(big.Int).SetUint64(q))
	prime := new(big.Int).SetUint64(q)
	var b, t big.Int
	for a := int64(2); a < tries; a++ {
		if q == 2 && big.Jacobi(big.NewInt(a), p) != -1 {
			continue // no witness where p is prime
		}
		b.Exp(big.NewInt(a), e, p)
		if t.Exp(&b, prime, p).Cmp(one) != 0 {
			return false
		}
		if t.Sub(&b, one); t.Sign() != 0 {
			return t.GCD(nil, nil, &t, p).Cmp(one) == 0
		}
	}
	return false
}

// hasSmallFactor finds a factor of r^k + 1 below a bound. Its odd prime factors are 1 modulo 2k, because r has order 2k
// modulo them.
func hasSmallFactor(r uint64, k int) bool {
	const bound = 1 << 16
	step := uint64(2 * k)
	for q := step + 1; q < bound; q += step {
		x := r % q
		for n := k; n > 1; n /= 2 {
			x = x * x % q
		}
		if x == q-1 && (k > 2 || q <= r) { // not p itself, which is above r² and, for larger k, the bound
			return true
		}
	}
	return false
}

// Radices lists, from the largest down, the r = 2^w ± 2^u, u < w ≤ 64 and lo ≤ r ≤ hi, powers of two among them, for
// which r^k + 1 is prime, k a power of two from 2 to 128. A test takes from microseconds, for most, to a second where k
// = 128. It panics for other k.
func Radices(k int, lo, hi uint64) iter.Seq[uint64] {
	if k < 2 || k > most || k&(k-1) != 0 {
		panic(fmt.Sprintf("gfpf: %d digits", k))
	}
	return func(yield func(uint64) bool) {
		var all []uint64
		for w := 2; w <= 64; w++ {
			for u := 1; u < w; u++ {
				all = append(all, 1<<w-1<<u, 1<<w+1<<u) // 2^64 is 0: the sum is one of the differences then
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
		slices.Reverse(all)
		for _, r := range all {
			if r < lo || r > hi || r <= uint64(4*k) {
				continue
			}
			if isPrime(r, k, modulus(r, k)) && !yield(r) {
				return
			}
		}
	}
}
