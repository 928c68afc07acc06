package bigprime

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// number reads p as package integer does.
func number(t testing.TB, text string) *big.Int {
	p, ok := integer.Parse(text)
	require.True(t, ok, text)
	return p
}

// Primes of each number of words: with all bits of them, one less, and, of the shortest, one more than there are in a
// word less.
var primes = map[int][]string{
	2:  {"2^128-159", "2^127-1", "2^64+13"},
	3:  {"2^192-237", "2^191-19", "2^128+51"},
	4:  {"2^256-189", "2^255-19", "2^192+133"},
	5:  {"2^320-197", "2^319-795", "2^256+297"},
	6:  {"2^384-317", "2^383-31", "2^320+27"},
	8:  {"2^512-569", "2^511-187", "2^448+211"},
	10: {"2^640-305", "2^639-499", "2^576+243"},
	12: {"2^768-825", "2^767-1081", "2^704+327"},
	16: {"2^1024-105", "2^1023-361", "2^960+1465"},
	20: {"2^1280-1175", "2^1279-1", "2^1216+483"},
	24: {"2^1536-3453", "2^1535-1317", "2^1472+231"},
	32: {"2^2048-1557", "2^2047-85", "2^1984+3681"},
	48: {"2^3072-47", "2^3071-187", "2^3008+4365"},
	64: {"2^4096-2549", "2^4095-1615", "2^4032+4455"},
	96: {"2^6144-5157", "2^6143-6379"}, 128: {"2^8192-2439"},
}

// Presets conform. Those of one size share their arithmetic, of which two have passes checked.
func TestPresetsConform(t *testing.T) {
	conforms(t, P2(), true)
	conforms(t, BN254(), true)
	conforms(t, Secp256k1(), true) // with all bits of four words
	for _, f := range []*Field[[4]uint64]{BLS12381(), BLS12377(), Stark252(), Pallas(), Vesta()} {
		conforms(t, f, testscale.Of(t) > testscale.Full)
	}
}

func conforms[E Words](t *testing.T, f *Field[E], passes bool) {
	t.Run(f.Name(), func(t *testing.T) {
		fieldtest.Run(t, f, fieldtest.Config[E]{})
		if passes {
			fieldtest.RunBulk(t, f, f.prime.bulk, fieldtest.Config[E]{})
		}
	})
}

// Fields of a random prime of each size conform, and with all primes above at full scale: elements of one type for all,
// so that the suite is compiled once. Long elements take minutes, and wait for the scale above. TestArithmetic has all
// sizes always.
func TestSizesConform(t *testing.T) {
	scale := testscale.Of(t)
	const most = 6 // words, but for the scale above
	for _, w := range sizes {
		if scale <= testscale.Full && w > most {
			break
		}
		t.Run(fmt.Sprintf("words=%d", w), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(w)))
			var list []*big.Int
			if w <= 16 {
				list = append(list, randomPrime(rnd, 64*w-rnd.IntN(32)))
			}
			if scale >= testscale.Full {
				for _, text := range primes[w] {
					list = append(list, number(t, text))
				}
			}
			for i, p := range list {
				f, err := Open(p)
				require.NoError(t, err)
				t.Run(fmt.Sprintf("%d bits", p.BitLen()), func(t *testing.T) {
					fieldtest.Run(t, f, fieldtest.Config[Number]{})
					if i == 0 && (w <= 10 || scale > testscale.Full) {
						fieldtest.RunBulk(t, f, numberBulk{f.prime.bulk}, fieldtest.Config[Number]{})
					}
				})
			}
		})
	}
}

// randomPrime draws a prime of n bits.
func randomPrime(rnd *rand.Rand, n int) *big.Int {
	for {
		p := randomBits(rnd, n)
		if p.SetBit(p, 0, 1).SetBit(p, n-1, 1); p.ProbablyPrime(0) {
			return p
		}
	}
}

// Presets are what their derivations say, prime and known by their names.
func TestPresets(t *testing.T) {
	polynomial := func(u string, coefficients ...int64) *big.Int { // the highest first
		x, z := number(t, u), new(big.Int)
		for _, c := range coefficients {
			z.Mul(z, x).Add(z, big.NewInt(c))
		}
		return z
	}
	plus := func(text, decimal string) *big.Int { return new(big.Int).Add(number(t, text), number(t, decimal)) }
	seventeen := new(big.Int).Mul(big.NewInt(17), number(t, "2^192"))
	for _, c := range []struct {
		f          field.Info
		name       string
		p          *big.Int
		bits       int
		twoAdicity uint
	}{
		{P2(), "P2", polynomial("2^63+2^53", 1, 0, 1), 127, 106},
		{BN254(), "bn254", polynomial("4965661367192848881", 36, 36, 18, 6, 1), 254, 28},
		{BLS12381(), "bls12-381", polynomial("0-0xd201000000010000", 1, 0, -1, 0, 1), 255, 32},
		{BLS12377(), "bls12-377", polynomial("0x8508c00000000001", 1, 0, -1, 0, 1), 253, 47},
		{Stark252(), "stark252", seventeen.Add(seventeen, number(t, "2^251+1")), 252, 192},
		{Pallas(), "pallas", plus("2^254", "45560315531419706090280762371685220353"), 255, 32},
		{Vesta(), "vesta", plus("2^254", "45560315531506369815346746415080538113"), 255, 32},
		{Secp256k1(), "secp256k1", plus("2^256-2^32", "0-977"), 256, 1},
	} {
		p := c.f.Characteristic()
		require.Zero(t, c.p.Cmp(p), c.name)
		require.Zero(t, c.p.Cmp(c.f.Order()), c.name)
		require.True(t, p.ProbablyPrime(20), c.name)
		require.Equal(t, c.bits, p.BitLen(), c.name)
		require.Equal(t, c.twoAdicity, p.Sub(p, big.NewInt(1)).TrailingZeroBits(), c.name)
		require.Equal(t, c.name, c.f.Name())
		open, err := Open(c.p)
		require.NoError(t, err)
		require.Equal(t, c.name, open.Name())
	}
	require.Len(t, Presets(), 8)
	for _, p := range Presets() {
		f, err := Open(p.Prime())
		require.NoError(t, err)
		require.Equal(t, p.Name, f.Name())
	}
}

// What is no prime of a size is refused, and the error says what to do.
func TestNewErrors(t *testing.T) {
	for text, want := range map[string]string{
		"0": "smallprime", "17": "smallprime", "0-17": "smallprime", "2^64-59": "smallprime", "0-2^127+1": "smallprime",
		"2^127":    "even number of 128 bits",
		"2^127+1":  "170141183460469231731687303715884105729 is composite",
		"2^1024-1": "a number of 1024 bits is composite",
		"2^8192+1": "a number of 8193 bits", "2^32767": "32768 bits",
	} {
		p := number(t, text)
		f, err := Open(p)
		require.ErrorIs(t, err, field.ErrModulus, text)
		require.ErrorContains(t, err, want, text)
		require.Nil(t, f)
		_, err = New[[2]uint64](p)
		require.ErrorIs(t, err, field.ErrModulus, text)
	}
	_, err := New[[2]uint64](number(t, "2^128+51"))
	require.ErrorContains(t, err, "a prime of 129 bits in 2 words, want elements of 3")
	_, err = New[[4]uint64](number(t, "2^127-1"))
	require.ErrorContains(t, err, "a prime of 127 bits in 4 words, want elements of 2")
}

func TestSize(t *testing.T) {
	for _, w := range sizes {
		for i, text := range primes[w] {
			p := number(t, text)
			got, err := Size(p)
			require.NoError(t, err)
			require.Equal(t, w, got, text)
			if w <= 16 || i == 0 && testscale.Of(t) > testscale.Full {
				_, err := Open(p)
				require.NoError(t, err, text)
			}
		}
	}
	for bits := leastBits; bits <= mostBits; bits++ {
		w, err := Size(new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))
		require.NoError(t, err)
		require.GreaterOrEqual(t, 64*w, bits)
		i := slices.Index(sizes[:], w)
		require.True(t, i == 0 || 64*sizes[i-1] < bits, "%d bits in %d words", bits, w)
	}
}

// The roots of presets are those of known libraries.
func TestKnownRoots(t *testing.T) {
	root := func(f *Field[[4]uint64], n uint64, want string) {
		var z [4]uint64
		require.NoError(t, f.RootOfUnity(&z, n))
		require.Zero(t, number(t, want).Cmp(f.Big(nil, &z)), f.Name())
	}
	root(BN254(), 1<<28, "19103219067921713944291392827692070036145651957329286315305642004821462161904")
	root(BLS12381(), 1<<32, "10238227357739495823651030575849232062558860180284477541189508159991286009131")
	root(BLS12377(), 1<<47, "8065159656716812877374967518403273466521432693661810619979959746626482506078")
	root(Pallas(), 1<<32, "0x2bce74deac30ebda362120830561f81aea322bf2b7bb7584bdad6fabd87ea32f")
	root(Vesta(), 1<<32, "0x2de6a9b8746d3f589e5c4dfd492ae26e9bb97ea3c106f049a70e2c1102b6d05f")
}

// Roots exist for the divisors of p − 1, those of powers of two fit together, and errors name orders that are near.
func TestRoots(t *testing.T) {
	f := BN254()
	var one, z, w [4]uint64
	f.One(&one)
	for _, n := range []uint64{1, 2, 3, 6, 9, 13, 29 * 983, 1 << 28, 3 << 20, 9 * 13 << 28, 11003 * 237073} {
		require.NoError(t, f.RootOfUnity(&z, n))
		for q := range n + 1 {
			if q == 1 || q > 1 && n%q == 0 {
				field.PowUint(f, &w, &z, n/q)
				require.Equal(t, q == 1, w == one, "order %d, power %d", n, n/q)
			}
			if q > 1000 {
				break
			}
		}
	}
	for k := range 28 {
		require.NoError(t, f.RootOfUnity(&z, 2<<k))
		require.NoError(t, f.RootOfUnity(&w, 1<<k))
		f.Mul(&z, &z, &z)
		require.Equal(t, w, z)
	}
	z = one
	for _, n := range []uint64{0, 1 << 29, 5, 1<<64 - 1} {
		require.ErrorIs(t, f.RootOfUnity(&z, n), field.ErrNoRoot)
	}
	require.Equal(t, one, z, "nothing is written")
	require.ErrorContains(t, f.RootOfUnity(&z, 5), "2-adicity is 28")
	require.ErrorContains(t, f.RootOfUnity(&z, 5), "the nearest that do: 4 and 6")
	require.ErrorContains(t, Secp256k1().RootOfUnity(&z, 4), "2-adicity is 1;")
	require.ErrorContains(t, Secp256k1().RootOfUnity(&z, 4), "the nearest that do: 3 and 6")
}
