package rs

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/galfft/fft/kernels/gf2"
)

// symbolVectors is vectors of symbols of a field, in bytes: those of a symbol of one byte, or tiles of package gf2.
type symbolVectors interface {
	// bytes is those of a vector of n symbols. What is behind them counts for sums.
	bytes(n int) int
	put(v []byte, i int, x uint64)
	get(v []byte, i int) uint64
	// fill sets all symbols to x, multiply sets z to the products of those of x and y, where z may be x, and sum
	// returns the sum of all, and changes v.
	fill(v []byte, x uint64)
	multiply(z, x, y []byte)
	sum(v []byte) uint64
}

func (byteField) bytes(n int) int               { return n }
func (byteField) put(v []byte, i int, x uint64) { v[i] = byte(x) }
func (byteField) get(v []byte, i int) uint64    { return uint64(v[i]) }

func (byteField) fill(v []byte, x uint64) {
	for i := range v {
		v[i] = byte(x)
	}
}

func (byteField) multiply(z, x, y []byte) {
	for i, a := range x {
		z[i] = products[a][y[i]]
	}
}

func (byteField) sum(v []byte) (z uint64) {
	for _, b := range v {
		z ^= uint64(b)
	}
	return z
}

func (k towerField) tile() int { return gf2.Lanes << k }

func (k towerField) bytes(n int) int { return (n + gf2.Lanes - 1) / gf2.Lanes * k.tile() }

// at is the tile of symbol i, and where it is there.
func (k towerField) at(v []byte, i int) ([]byte, int) { return v[i/gf2.Lanes*k.tile():], i % gf2.Lanes }

func (k towerField) put(v []byte, i int, x uint64) {
	tile, lane := k.at(v, i)
	gf2.Put(tile, int(k), lane, gf2.Element{x})
}

func (k towerField) get(v []byte, i int) uint64 {
	tile, lane := k.at(v, i)
	return gf2.Get(tile, int(k), lane)[0]
}

func (k towerField) fill(v []byte, x uint64) {
	for i := range k.tile() {
		v[i] = byte(x >> (8 * (i / gf2.Lanes)))
	}
	for done := k.tile(); done < len(v); done *= 2 {
		copy(v[done:], v[:done])
	}
}

func (k towerField) multiply(z, x, y []byte) {
	gf2.Active().Mul[k](&z[0], &x[0], &y[0], len(z)/k.tile())
}

func (k towerField) sum(v []byte) (z uint64) {
	for tiles := len(v) / k.tile(); tiles > 1; {
		half := (tiles + 1) / 2
		subtle.XORBytes(v, v[:(tiles-half)*k.tile()], v[half*k.tile():])
		tiles = half
	}
	for p := range 1 << k {
		var w uint64
		for i := 0; i < gf2.Lanes; i += 8 {
			w ^= binary.LittleEndian.Uint64(v[p*gf2.Lanes+i:])
		}
		w ^= w >> 32
		w ^= w >> 16
		w ^= w >> 8
		z |= w & 255 << (8 * p)
	}
	return z
}
