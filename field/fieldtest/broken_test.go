package fieldtest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
)

// outcome runs one check by name: nil, errNotOffered, or what it found.
func outcome(t *testing.T, checks []check, name string) error {
	t.Helper()
	i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
	require.GreaterOrEqual(t, i, 0, "no check %s", name)
	return checks[i].run(newRand(defaultSeed))
}

// requireBroken asserts that a check finds something.
func requireBroken(t *testing.T, checks []check, name string) {
	t.Helper()
	err := outcome(t, checks, name)
	require.Error(t, err)
	require.NotErrorIs(t, err, errNotOffered)
	t.Log(err)
}

func TestSoundFields(t *testing.T) {
	Run(t, goldilocks, Config[uint64]{RootOrders: []uint64{1 << 32, 3, 65537, 1 << 20 * 15}})
	Run(t, mersenne, Config[uint64]{})
	Run(t, patch(goldilocks, func(*patched[uint64]) {}), Config[uint64]{Seed: 1})
	Run(t, patchFast(func(*patchedFast) {}), Config[uint64]{Seed: 1})
	Run(t, field.ElementsOnly(goldilocks), Config[uint64]{Edge: []uint64{1 << 32, 1<<32 - 1}})
	Run(t, struct{ field.Field[uint64] }{goldilocks}, Config[uint64]{Random: goldilocks.Random})
	Run(t, struct { // a codec alone: the order is not known
		field.Field[uint64]
		field.Codec[uint64]
	}{goldilocks, goldilocks}, Config[uint64]{})
}

// wordMutants are fields of one word with one thing wrong, and the check that must find it.
var wordMutants = []struct {
	name, check string
	change      func(p *patched[uint64])
}{
	{"Add does not reduce a sum of p", "Axioms", func(p *patched[uint64]) {
		p.add = func(z, x, y *uint64) {
			if *x != 0 && *x+*y == goldilocks.p {
				*z = goldilocks.p
				return
			}
			goldilocks.Add(z, x, y)
		}
	}},
	{"Add is off by one above the modulus", "Axioms", func(p *patched[uint64]) {
		p.add = func(z, x, y *uint64) {
			wraps := *x+*y < *x
			if goldilocks.Add(z, x, y); wraps {
				*z--
			}
		}
	}},
	{"Sub loses the borrow", "Axioms", func(p *patched[uint64]) {
		p.sub = func(z, x, y *uint64) { *z = (*x - *y) % goldilocks.p }
	}},
	{"Neg of 0 is p", "Axioms", func(p *patched[uint64]) {
		p.neg = func(z, x *uint64) { *z = goldilocks.p - *x }
	}},
	{"Neg of 0 is p, and Equal does not see it", "Axioms", func(p *patched[uint64]) {
		p.neg = func(z, x *uint64) { *z = goldilocks.p - *x%goldilocks.p }
		p.eq = func(x, y *uint64) bool { return *x%goldilocks.p == *y%goldilocks.p }
	}},
	{"Mul loses the high word", "Axioms", func(p *patched[uint64]) {
		p.mul = func(z, x, y *uint64) { *z = *x * *y % goldilocks.p }
	}},
	{"Mul is wrong for one operand", "Axioms", func(p *patched[uint64]) {
		p.mul = func(z, x, y *uint64) {
			off := *y == goldilocks.p-1
			if goldilocks.Mul(z, x, y); off {
				goldilocks.Add(z, z, y)
			}
		}
	}},
	{"Mul is wrong for one x in 256", "Axioms", func(p *patched[uint64]) {
		p.mul = func(z, x, y *uint64) {
			off := *x&0xff == 0x77
			if goldilocks.Mul(z, x, y); off {
				goldilocks.Neg(z, z)
			}
		}
	}},
	{"One is 0", "Axioms", func(p *patched[uint64]) { p.one = func(z *uint64) { *z = 0 } }},

	{"0 is another number than the zero value", "Zero", func(p *patched[uint64]) {
		*p = *patch(prime[uint64](goldilocks), func(p *patched[uint64]) { // x stands for x − 5
			p.add = func(z, x, y *uint64) { moved(goldilocks.Add, z, x, y) }
			p.sub = func(z, x, y *uint64) { moved(goldilocks.Sub, z, x, y) }
			p.mul = func(z, x, y *uint64) { moved(goldilocks.Mul, z, x, y) }
			p.one = func(z *uint64) { *z = 6 }
		})
	}},

	{"Sub writes before it reads", "Aliasing", func(p *patched[uint64]) {
		p.sub = func(z, x, y *uint64) { *z = *x; goldilocks.Sub(z, z, y) }
	}},
	{"Mul uses its destination for x", "Aliasing", func(p *patched[uint64]) {
		p.mul = func(z, x, y *uint64) {
			if x == y && z != x {
				*x = *x % 3
			}
			goldilocks.Mul(z, x, y)
		}
	}},
	{"Neg changes its operand", "Aliasing", func(p *patched[uint64]) {
		p.neg = func(z, x *uint64) { goldilocks.Neg(z, x); *x = *z }
	}},
	{"Inv in place inverts twice", "Aliasing", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error {
			err := goldilocks.Inv(z, x)
			if z == x && err == nil {
				err = goldilocks.Inv(z, x)
			}
			return err
		}
	}},
	{"Set adds to its destination", "Aliasing", func(p *patched[uint64]) {
		p.set = func(z, x *uint64) { *z |= *x }
	}},

	{"Inv of 0 is nil", "Inverse", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error { _ = goldilocks.Inv(z, x); return nil }
	}},
	{"Inv of 0 writes", "Inverse", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error {
			err := goldilocks.Inv(z, x)
			if err != nil {
				*z = 0
			}
			return err
		}
	}},
	{"Inv of 0 is another error", "Inverse", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error {
			if goldilocks.Inv(z, x) != nil {
				return errors.New("not invertible")
			}
			return nil
		}
	}},
	{"Inv refuses 2", "Inverse", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error {
			if *x == 2 {
				return field.ErrNotInvertible
			}
			return goldilocks.Inv(z, x)
		}
	}},
	{"Inv of −1 is 1", "Inverse", func(p *patched[uint64]) {
		p.inv = func(z, x *uint64) error {
			if *x == goldilocks.p-1 {
				*z = 1
				return nil
			}
			return goldilocks.Inv(z, x)
		}
	}},

	{"Equal compares half a word", "Equal", func(p *patched[uint64]) {
		p.eq = func(x, y *uint64) bool { return uint32(*x) == uint32(*y) }
	}},
	{"Equal is always true", "Equal", func(p *patched[uint64]) {
		p.eq = func(x, y *uint64) bool { return true }
	}},
	{"encodings lose a bit", "Equal", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) { y := *x | 1; goldilocks.PutBytes(b, &y) }
	}},
	{"Equal compares pointers", "Equal", func(p *patched[uint64]) {
		p.eq = func(x, y *uint64) bool { return x == y || *x == 0 && *y == 0 }
	}},
	{"Equal depends on the side", "Equal", func(p *patched[uint64]) {
		p.eq = func(x, y *uint64) bool { return *x == *y || *x == 2 && *y == 1<<32 }
	}},

	{"root of half the order", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			if n == 64 {
				n = 32
			}
			return goldilocks.RootOfUnity(z, n)
		}
	}},
	{"root of twice the order", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			if n == 64 {
				n = 128
			}
			return goldilocks.RootOfUnity(z, n)
		}
	}},
	{"roots that do not fit together", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			err := goldilocks.RootOfUnity(z, n)
			if n == 64 {
				field.Pow(goldilocks, z, z, big.NewInt(5))
			}
			return err
		}
	}},
	{"root of order 0", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error { return goldilocks.RootOfUnity(z, max(n, 1)) }
	}},
	{"root of an order that does not exist", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			for goldilocks.RootOfUnity(z, n) != nil {
				n /= 2
			}
			return nil
		}
	}},
	{"root of the characteristic", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			if n == goldilocks.p {
				*z = 1
				return nil
			}
			return goldilocks.RootOfUnity(z, n)
		}
	}},
	{"refused root writes", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			err := goldilocks.RootOfUnity(z, n)
			if err != nil {
				*z = 1
			}
			return err
		}
	}},
	{"refused root is another error", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			if goldilocks.RootOfUnity(z, n) != nil {
				return field.ErrLength
			}
			return nil
		}
	}},
	{"a gap among the roots", "Roots", func(p *patched[uint64]) {
		p.root = func(z *uint64, n uint64) error {
			if n == 128 {
				return field.ErrNoRoot
			}
			return goldilocks.RootOfUnity(z, n)
		}
	}},
	{"no roots at all", "Roots", func(p *patched[uint64]) {
		p.root = func(*uint64, uint64) error { return field.ErrNoRoot }
	}},
	{"another root each time", "Roots", func(p *patched[uint64]) {
		last := uint64(0)
		p.root = func(z *uint64, n uint64) error {
			err := goldilocks.RootOfUnity(z, n)
			if last == n && n > 2 {
				field.Pow(goldilocks, z, z, new(big.Int).SetUint64(n-1))
			}
			last = n
			return err
		}
	}},

	{"no name", "Info", func(p *patched[uint64]) { p.name = func() string { return "" } }},
	{"characteristic of a multiple", "Info", func(p *patched[uint64]) {
		p.characteristic = func() *big.Int { return big.NewInt(97) }
		p.order = p.characteristic
	}},
	{"characteristic is not a prime", "Info", func(p *patched[uint64]) {
		p.characteristic = func() *big.Int { return new(big.Int).SetUint64(goldilocks.p - 1) }
	}},
	{"order is p − 1", "Info", func(p *patched[uint64]) {
		p.order = func() *big.Int { return new(big.Int).SetUint64(goldilocks.p - 1) }
	}},
	{"order is handed out", "Info", func(p *patched[uint64]) {
		q := goldilocks.Order()
		p.order = func() *big.Int { return q }
	}},
	{"characteristic is handed out", "Info", func(p *patched[uint64]) {
		q := goldilocks.Order()
		p.characteristic = func() *big.Int { return q }
	}},

	{"size of a word more", "Codec", func(p *patched[uint64]) { p.size = func() int { return 16 } }},
	{"order of another size", "Codec", func(p *patched[uint64]) {
		p.order = func() *big.Int { return big.NewInt(97) }
	}},
	{"bytes are big-endian", "Codec", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) { binary.BigEndian.PutUint64(b, *x) }
		p.setBytes = func(z *uint64, b []byte) error {
			b = slices.Clone(b)
			slices.Reverse(b)
			return goldilocks.SetBytes(z, b)
		}
	}},
	{"high bytes are not written", "Codec", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) {
			b = b[:8:len(b)]
			for i, v := 0, *x; v > 0; i, v = i+1, v>>8 {
				b[i] = byte(v)
			}
		}
	}},
	{"a byte too many is written", "Codec", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) {
			goldilocks.PutBytes(b, x)
			if len(b) > 8 {
				b[8] = 1
			}
		}
	}},
	{"bytes are written beyond the slice", "Codec", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) { goldilocks.PutBytes(b[:8], x) }
	}},
	{"PutBytes changes its operand", "Codec", func(p *patched[uint64]) {
		p.putBytes = func(b []byte, x *uint64) {
			goldilocks.PutBytes(b, x)
			if *x == 1<<32 {
				*x = 3
			}
		}
	}},
	{"SetBytes accepts p", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			if len(b) == 8 && binary.LittleEndian.Uint64(b) == goldilocks.p {
				*z = 0
				return nil
			}
			return goldilocks.SetBytes(z, b)
		}
	}},
	{"SetBytes accepts p + 1", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			if len(b) == 8 && binary.LittleEndian.Uint64(b) == goldilocks.p+1 {
				*z = 1
				return nil
			}
			return goldilocks.SetBytes(z, b)
		}
	}},
	{"SetBytes reduces all ones", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			if len(b) == 8 && binary.LittleEndian.Uint64(b) == 1<<64-1 {
				*z = 1<<32 - 2
				return nil
			}
			return goldilocks.SetBytes(z, b)
		}
	}},
	{"SetBytes accepts long slices", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error { return goldilocks.SetBytes(z, b[:min(8, len(b))]) }
	}},
	{"SetBytes accepts short slices", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			if len(b) < 8 {
				b = append(slices.Clone(b), make([]byte, 8-len(b))...)
			}
			return goldilocks.SetBytes(z, b)
		}
	}},
	{"SetBytes of a wrong length is ErrRange", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			if goldilocks.SetBytes(z, b) != nil {
				return field.ErrRange
			}
			return nil
		}
	}},
	{"SetBytes writes what it rejects", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			err := goldilocks.SetBytes(z, b)
			if errors.Is(err, field.ErrRange) {
				*z = binary.LittleEndian.Uint64(b) % goldilocks.p
			}
			return err
		}
	}},
	{"SetBytes reverses what it reads", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			err := goldilocks.SetBytes(z, b)
			slices.Reverse(b)
			return err
		}
	}},
	{"SetBytes loses a bit", "Codec", func(p *patched[uint64]) {
		p.setBytes = func(z *uint64, b []byte) error {
			err := goldilocks.SetBytes(z, b)
			*z &^= 1 << 40
			return err
		}
	}},
	{"AppendText starts anew", "Codec", func(p *patched[uint64]) {
		p.appendText = func(b []byte, x *uint64) []byte { return goldilocks.AppendText(nil, x) }
	}},
	{"text is hexadecimal", "Codec", func(p *patched[uint64]) {
		p.appendText = func(b []byte, x *uint64) []byte { return strconv.AppendUint(b, *x, 16) }
		p.setText = func(z *uint64, s []byte) error {
			x, err := strconv.ParseUint(string(s), 16, 64)
			if err != nil {
				return field.ErrRange
			}
			return goldilocks.put(z, x)
		}
	}},
	{"SetText accepts a sign", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			return goldilocks.SetText(z, []byte(strings.TrimPrefix(string(s), "+")))
		}
	}},
	{"SetText accepts −0", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			if string(s) == "-0" {
				s = s[1:]
			}
			return goldilocks.SetText(z, s)
		}
	}},
	{"SetText trims spaces", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			return goldilocks.SetText(z, []byte(strings.TrimSpace(string(s))))
		}
	}},
	{"SetText accepts an empty text", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error { return goldilocks.SetText(z, append([]byte("0"), s...)) }
	}},
	{"SetText accepts prefixes and underscores", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			x, err := strconv.ParseUint(string(s), 0, 64)
			if err != nil {
				return field.ErrRange
			}
			return goldilocks.put(z, x)
		}
	}},
	{"SetText stops at the first other byte", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			var x uint64
			if _, err := fmt.Sscanf(string(s), "%d", &x); err != nil {
				return field.ErrRange
			}
			return goldilocks.put(z, x)
		}
	}},
	{"SetText wraps around", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			x, ok := new(big.Int).SetString(string(s), 10)
			if !ok || s[0] == '-' || s[0] == '+' {
				return field.ErrRange
			}
			return goldilocks.put(z, new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1)).Uint64())
		}
	}},
	{"SetText reduces", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			x, err := strconv.ParseUint(string(s), 10, 64)
			if err != nil {
				return field.ErrRange
			}
			*z = x % goldilocks.p
			return nil
		}
	}},
	{"SetBig reduces", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error {
			*z = new(big.Int).Mod(x, goldilocks.Order()).Uint64()
			return nil
		}
	}},
	{"SetBig accepts negative numbers", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error { return goldilocks.SetBig(z, new(big.Int).Abs(x)) }
	}},
	{"SetBig takes nil for 0", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error {
			if x == nil {
				x = new(big.Int)
			}
			return goldilocks.SetBig(z, x)
		}
	}},
	{"SetBig panics on nil", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error { x.Sign(); return goldilocks.SetBig(z, x) }
	}},
	{"SetBig wraps around", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error {
			if x.Sign() < 0 {
				return field.ErrRange
			}
			return goldilocks.put(z, x.Uint64())
		}
	}},
	{"SetBig consumes its operand", "Codec", func(p *patched[uint64]) {
		p.setBig = func(z *uint64, x *big.Int) error {
			err := goldilocks.SetBig(z, x)
			x.SetUint64(0)
			return err
		}
	}},
	{"Big panics on nil", "Codec", func(p *patched[uint64]) {
		p.big = func(z *big.Int, x *uint64) *big.Int { return z.SetUint64(*x) }
	}},
	{"Big returns nil for nil", "Codec", func(p *patched[uint64]) {
		p.big = func(z *big.Int, x *uint64) *big.Int {
			if z == nil {
				return nil
			}
			return goldilocks.Big(z, x)
		}
	}},
	{"Big returns another big.Int", "Codec", func(p *patched[uint64]) {
		p.big = func(z *big.Int, x *uint64) *big.Int { return new(big.Int).Set(goldilocks.Big(z, x)) }
	}},
	{"Big is negative", "Codec", func(p *patched[uint64]) {
		p.big = func(z *big.Int, x *uint64) *big.Int { return z.Neg(goldilocks.Big(z, x)) }
	}},
	{"SetText refuses 0", "Codec", func(p *patched[uint64]) {
		p.setText = func(z *uint64, s []byte) error {
			if s = []byte(strings.TrimLeft(string(s), "0")); len(s) == 0 {
				return field.ErrRange
			}
			return goldilocks.SetText(z, s)
		}
	}},
	{"Big adds to what it is given", "Codec", func(p *patched[uint64]) {
		p.big = func(z *big.Int, x *uint64) *big.Int { return z.Or(z, new(big.Int).SetUint64(*x)) }
	}},
	{"the number of x is −x", "Codec", func(p *patched[uint64]) {
		*p = *patch(prime[uint64](goldilocks), func(p *patched[uint64]) {
			encodeWith(p, func(x uint64) uint64 { return (goldilocks.p - x) % goldilocks.p })
		})
	}},
	{"the number of x is x with two values exchanged", "Codec", func(p *patched[uint64]) {
		encodeWith(p, func(x uint64) uint64 {
			switch x {
			case 1 << 32:
				return 1<<32 - 1
			case 1<<32 - 1:
				return 1 << 32
			}
			return x
		})
	}},

	{"Random is constant", "Sampler", func(p *patched[uint64]) {
		p.random = func(z *uint64, r *rand.Rand) { *z = 4 }
	}},
	{"Random has a source of its own", "Sampler", func(p *patched[uint64]) {
		p.random = func(z *uint64, r *rand.Rand) { *z = rand.Uint64N(goldilocks.p) }
	}},
	{"Random takes a source of its own for nil", "Sampler", func(p *patched[uint64]) {
		p.random = func(z *uint64, r *rand.Rand) {
			if r == nil {
				r = rand.New(rand.NewPCG(1, 2))
			}
			goldilocks.Random(z, r)
		}
	}},
	{"Random depends on its destination", "Sampler", func(p *patched[uint64]) {
		p.random = func(z *uint64, r *rand.Rand) { *z ^= r.Uint64N(1 << 63) }
	}},
	{"Random ignores the seed", "Sampler", func(p *patched[uint64]) {
		var n atomic.Uint64
		p.random = func(z *uint64, r *rand.Rand) { *z = n.Add(1) / 2 }
	}},
	{"Random draws the lower half", "Sampler", func(p *patched[uint64]) {
		p.random = func(z *uint64, r *rand.Rand) { *z = r.Uint64() >> 1 }
	}},
	{"Random does not draw 0", "Sampler", func(p *patched[uint64]) {
		*p = *patch(prime[uint64](&word{p: 97, generator: 5}), func(p *patched[uint64]) {
			p.random = func(z *uint64, r *rand.Rand) { *z = 1 + r.Uint64N(96) }
		})
	}},

	{"Mul shares its scratch", "Concurrency", func(p *patched[uint64]) {
		var scratch atomic.Uint64
		p.mul = func(z, x, y *uint64) {
			scratch.Store(*x)
			runtime.Gosched()
			a := scratch.Load()
			goldilocks.Mul(z, &a, y)
		}
	}},
	{"SetBytes shares its scratch", "Concurrency", func(p *patched[uint64]) {
		var scratch atomic.Uint64
		p.setBytes = func(z *uint64, b []byte) error {
			var x uint64
			err := goldilocks.SetBytes(&x, b)
			if err == nil {
				scratch.Store(x)
				runtime.Gosched()
				*z = scratch.Load()
			}
			return err
		}
	}},
	{"RootOfUnity shares its scratch", "Concurrency", func(p *patched[uint64]) {
		var scratch atomic.Uint64
		p.root = func(z *uint64, n uint64) error {
			scratch.Store(n)
			runtime.Gosched()
			return goldilocks.RootOfUnity(z, scratch.Load())
		}
	}},
}

// moved applies do to x − 5 and y − 5 and adds 5.
func moved(do func(z, x, y *uint64), z, x, y *uint64) {
	var a, b uint64
	five := uint64(5)
	goldilocks.Sub(&a, x, &five)
	goldilocks.Sub(&b, y, &five)
	do(z, &a, &b)
	goldilocks.Add(z, z, &five)
}

// encodeWith makes code(x) the number of x, for an involution code.
func encodeWith(p *patched[uint64], code func(x uint64) uint64) {
	p.putBytes = func(b []byte, x *uint64) { y := code(*x); goldilocks.PutBytes(b, &y) }
	p.appendText = func(b []byte, x *uint64) []byte { y := code(*x); return goldilocks.AppendText(b, &y) }
	p.big = func(z *big.Int, x *uint64) *big.Int { return z.SetUint64(code(*x)) }
	decoded := func(z *uint64, err error) error {
		if err == nil {
			*z = code(*z)
		}
		return err
	}
	p.setBytes = func(z *uint64, b []byte) error { return decoded(z, goldilocks.SetBytes(z, b)) }
	p.setText = func(z *uint64, s []byte) error { return decoded(z, goldilocks.SetText(z, s)) }
	p.setBig = func(z *uint64, x *big.Int) error { return decoded(z, goldilocks.SetBig(z, x)) }
}

func TestBrokenWords(t *testing.T) {
	for _, m := range wordMutants {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			f := patch(prime[uint64](goldilocks), m.change)
			requireBroken(t, newSuite(f, Config[uint64]{}, 1).checks(), m.check)
		})
	}
}

// fastMutants break what is there for speed.
var fastMutants = []struct {
	name, check string
	change      func(p *patchedFast)
}{
	{"Shift is wrong from the order on", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) {
			if s >= 192 {
				*z = *x
				return
			}
			goldilocks.Shift(z, x, s)
		}
	}},
	{"Shift cuts s to 32 bits", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) { goldilocks.Shift(z, x, uint64(uint32(s))) }
	}},
	{"Shift by 0 is by 1", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) { goldilocks.Shift(z, x, max(s, 1)) }
	}},
	{"Shift loses bits", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) { *z = *x << (s % 192) % goldilocks.p }
	}},
	{"Shift changes its operand", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) {
			goldilocks.Shift(z, x, s)
			if s > 1000 {
				*x = *z
			}
		}
	}},
	{"Shift in place shifts twice", "Shifter", func(p *patchedFast) {
		p.shift = func(z, x *uint64, s uint64) {
			goldilocks.Shift(z, x, s)
			if z == x {
				goldilocks.Shift(z, x, s)
			}
		}
	}},
	{"shift order is half", "Shifter", func(p *patchedFast) { p.shiftOrder = func() uint64 { return 96 } }},
	{"shift order is twice", "Shifter", func(p *patchedFast) { p.shiftOrder = func() uint64 { return 384 } }},
	{"shift order is 0", "Shifter", func(p *patchedFast) { p.shiftOrder = func() uint64 { return 0 } }},

	{"AddVec leaves the tail", "Vectors", func(p *patchedFast) {
		p.addVec = func(z, x, y []uint64) { n := len(z) / 8 * 8; goldilocks.AddVec(z[:n], x, y) }
	}},
	{"SubVec is the other way round", "Vectors", func(p *patchedFast) {
		p.subVec = func(z, x, y []uint64) { goldilocks.SubVec(z, y, x) }
	}},
	{"MulVec writes before it reads", "Vectors", func(p *patchedFast) {
		p.mulVec = func(z, x, y []uint64) { copy(z, x); goldilocks.MulVec(z, z, y) }
	}},
	{"MulVec writes whole blocks", "Vectors", func(p *patchedFast) {
		p.mulVec = func(z, x, y []uint64) {
			goldilocks.MulVec(z, x, y)
			if rest := z[len(z):min(cap(z), (len(z)+3)/4*4)]; len(rest) > 0 {
				rest[0] = 0
			}
		}
	}},
	{"MulAddVec forgets the sum", "Vectors", func(p *patchedFast) { p.mulAddVec = goldilocks.MulVec }},
	{"AddVec does not reduce", "Vectors", func(p *patchedFast) {
		p.addVec = func(z, x, y []uint64) { each(func(z, x, y *uint64) { *z = *x + *y }, z, x, y) }
	}},

	{"Plan multiplies by another root", "Planner", func(p *patchedFast) {
		p.plan = func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
			c := d.(field.Cyclic[uint64])
			_ = goldilocks.Inv(&c.Root, &c.Root)
			return goldilocks.Plan(c, s)
		}
	}},
	{"Plan ignores the order", "Planner", func(p *patchedFast) {
		p.plan = func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
			return goldilocks.Plan(d, field.Spec{})
		}
	}},
	{"Plan ignores the shift", "Planner", func(p *patchedFast) {
		p.plan = func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
			c := d.(field.Cyclic[uint64])
			c.Shift = 1
			return goldilocks.Plan(c, s)
		}
	}},
	{"Inverse does not divide by n", "Planner", func(p *patchedFast) {
		p.plan = patchPlan(func(t *patchedPlan) {
			t.inverse = func(ctx context.Context, dst, src []uint64) error {
				err := t.sums.Inverse(ctx, dst, src)
				n := uint64(len(dst))
				for i := range dst {
					goldilocks.Mul(&dst[i], &dst[i], &n)
				}
				return err
			}
		})
	}},
	{"Forward changes its source", "Planner", func(p *patchedFast) {
		p.plan = patchPlan(func(t *patchedPlan) {
			t.forward = func(ctx context.Context, dst, src []uint64) error {
				err := t.sums.Forward(ctx, dst, src)
				copy(src, dst)
				return err
			}
		})
	}},
	{"Inverse in place loses an element", "Planner", func(p *patchedFast) {
		p.plan = patchPlan(func(t *patchedPlan) {
			t.inverse = func(ctx context.Context, dst, src []uint64) error {
				same := &dst[0] == &src[0]
				err := t.sums.Inverse(ctx, dst, src)
				if same {
					dst[len(dst)-1]++
				}
				return err
			}
		})
	}},
	{"Inverse does not work in place", "Planner", func(p *patchedFast) {
		p.plan = patchPlan(func(t *patchedPlan) {
			t.inverse = func(ctx context.Context, dst, src []uint64) error {
				if &dst[0] == &src[0] {
					return field.ErrOverlap
				}
				return t.sums.Inverse(ctx, dst, src)
			}
		})
	}},
	{"Forward fails", "Planner", func(p *patchedFast) {
		p.plan = patchPlan(func(t *patchedPlan) {
			t.forward = func(context.Context, []uint64, []uint64) error { return field.ErrMemory }
		})
	}},
	{"Plan refuses length 1", "Planner", func(p *patchedFast) {
		p.plan = func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
			if d.Len() == 1 {
				return nil, field.ErrSpec
			}
			return goldilocks.Plan(d, s)
		}
	}},
}

func TestBrokenFast(t *testing.T) {
	for _, m := range fastMutants {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			requireBroken(t, newSuite(patchFast(m.change), Config[uint64]{}, 1).checks(), m.check)
		})
	}
}

// scaled is the field of a word in another encoding, 3x for x. It embeds a field and defines all arithmetic
// that changes, but inherits Plan.
type scaled struct{ *word }

func (f scaled) One(z *uint64) { *z = 3 }

func (f scaled) Mul(z, x, y *uint64) {
	third, three := uint64(0), uint64(3)
	_ = f.word.Inv(&third, &three)
	f.word.Mul(z, x, y)
	f.word.Mul(z, z, &third)
}

func (f scaled) Inv(z, x *uint64) error {
	nine := uint64(9)
	err := f.word.Inv(z, x)
	if err == nil {
		f.word.Mul(z, z, &nine)
	}
	return err
}

func (f scaled) RootOfUnity(z *uint64, n uint64) error {
	three := uint64(3)
	err := f.word.RootOfUnity(z, n)
	if err == nil {
		f.word.Mul(z, z, &three)
	}
	return err
}

func TestInheritedPlan(t *testing.T) {
	checks := newSuite(scaled{goldilocks}, Config[uint64]{}, 1).checks()
	for _, sound := range []string{"Axioms", "Zero", "Aliasing", "Inverse", "Equal", "Roots", "Info", "Sampler"} {
		require.NoError(t, outcome(t, checks, sound), sound)
	}
	for _, inherited := range []string{"Planner", "Vectors", "Codec"} {
		requireBroken(t, checks, inherited)
	}
}

// pointerMutants are fields of elements that hold pointers, which share memory in some way.
var pointerMutants = []struct {
	name, check string
	change      func(f *testfields.BigInt, p *patched[testfields.Int])
}{
	{"Set shares the pointer", "Independence", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.set = func(z, x *testfields.Int) { *z = *x }
	}},
	{"One shares a pointer", "Independence", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		var one testfields.Int
		f.One(&one)
		p.one = func(z *testfields.Int) { *z = one }
	}},
	{"Add of 0 shares the pointer", "Independence", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.add = func(z, x, y *testfields.Int) {
			if f.Equal(y, new(testfields.Int)) {
				*z = *x
				return
			}
			f.Add(z, x, y)
		}
	}},
	{"Mul by 1 shares the pointer", "Independence", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.mul = func(z, x, y *testfields.Int) {
			var one testfields.Int
			if f.One(&one); f.Equal(x, &one) {
				*z = *y
				return
			}
			f.Mul(z, x, y)
		}
	}},
	{"Neg of 0 shares the pointer", "Independence", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.neg = func(z, x *testfields.Int) {
			if f.Equal(x, new(testfields.Int)) {
				*z = *x
				return
			}
			f.Neg(z, x)
		}
	}},
	{"RootOfUnity hands out what it keeps", "Roots", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		kept := make(map[uint64]testfields.Int)
		p.root = func(z *testfields.Int, n uint64) error {
			w, ok := kept[n]
			if !ok {
				if err := f.RootOfUnity(&w, n); err != nil {
					return err
				}
				kept[n] = w
			}
			*z = w
			return nil
		}
	}},
	{"a nil pointer is not equal to 0", "Zero", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.eq = func(x, y *testfields.Int) bool {
			return (*x == testfields.Int{}) == (*y == testfields.Int{}) && f.Equal(x, y)
		}
	}},
	{"Sub from a nil pointer is 0", "Zero", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.sub = func(z, x, y *testfields.Int) {
			if (*x == testfields.Int{}) {
				f.Set(z, x)
				return
			}
			f.Sub(z, x, y)
		}
	}},
	{"Neg in place of a nil pointer is 1", "Zero", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.neg = func(z, x *testfields.Int) {
			if z == x && *x == (testfields.Int{}) {
				f.One(z)
				return
			}
			f.Neg(z, x)
		}
	}},
	{"Mul writes to an operand that is a nil pointer", "Zero", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.mul = func(z, x, y *testfields.Int) {
			if (*x == testfields.Int{}) {
				f.One(x)
			}
			f.Mul(z, x, y)
		}
	}},
	{"SetBig keeps the big.Int", "Codec", func(f *testfields.BigInt, p *patched[testfields.Int]) {
		p.setBig = func(z *testfields.Int, x *big.Int) error {
			err := f.SetBig(z, x)
			if err == nil {
				*(**big.Int)(unsafe.Pointer(z)) = x
			}
			return err
		}
	}},
}

func TestBrokenPointers(t *testing.T) {
	for _, m := range pointerMutants {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			f, err := testfields.NewBigInt(goldilocks.Order())
			require.NoError(t, err)
			p := patch(prime[testfields.Int](f), func(p *patched[testfields.Int]) { m.change(f, p) })
			requireBroken(t, newSuite(p, Config[testfields.Int]{}, 1).checks(), m.check)
		})
	}
}
