package gfpf

import "math/big"

// fromBig sets z to the digits of x, 0 ≤ x < p: halves by quotients by r^(n/2), n = k, k/2, …
func (f *ring) fromBig(z []uint64, x *big.Int) {
	z = z[:f.k]
	if x.Cmp(f.powers[len(f.powers)-1]) == 0 {
		f.minusOne(z)
		return
	}
	f.split(z, x, len(f.powers)-2)
}

// split sets z to the 2^(i+1) digits of x.
func (f *ring) split(z []uint64, x *big.Int, i int) {
	if i < 0 {
		z[0] = x.Uint64()
		return
	}
	q, rest := new(big.Int).QuoRem(x, f.powers[i], new(big.Int))
	h := len(z) / 2
	f.split(z[:h], rest, i-1)
	f.split(z[h:], q, i-1)
}

// toBig sets z to the number of digits x, and returns it.
func (f *ring) toBig(z *big.Int, x []uint64) *big.Int { return f.join(z, x[:f.k], len(f.powers)-2) }

func (f *ring) join(z *big.Int, x []uint64, i int) *big.Int {
	if i < 0 {
		return z.SetUint64(x[0])
	}
	h := len(x) / 2
	low := f.join(new(big.Int), x[:h], i-1)
	f.join(z, x[h:], i-1)
	return z.Add(z.Mul(z, f.powers[i]), low)
}
