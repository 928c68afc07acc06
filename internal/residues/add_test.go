package residues

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/kernels/rns"
)

// Numbers of one to nine words are added at any place, through words that are all ones.
func TestAddNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	fill := func(z []uint64) {
		kind := rnd.IntN(3)
		for i := range z {
			switch {
			case kind == 0 || kind == 1 && rnd.IntN(2) == 0:
				z[i] = 1<<64 - 1
			case kind == 2:
				z[i] = rnd.Uint64()
			}
		}
	}
	integer := func(z []uint64) *big.Int {
		v := new(big.Int)
		for i := len(z) - 1; i >= 0; i-- {
			v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(z[i]))
		}
		return v
	}
	through := false
	for k := 1; k <= 11; k++ {
		primes, _ := Primes(Bits(), 64, new(big.Int).Lsh(big.NewInt(1), uint(Bits()*k-2)))
		system, err := NewSystem(context.Background(), primes[:k])
		if err != nil {
			t.Fatal(err)
		}
		words := system.Words()
		plain := *system
		plain.set = nil
		for i := range 200 {
			d := &Digits{size: 1 + rnd.IntN(64*words), system: []*System{system, &plain}[i%2]}
			n, bit := 1+rnd.IntN(rns.Block), rnd.IntN(300)
			rows, sum := make([]uint64, words*rns.Block), make([]uint64, (bit+n*d.size)/64+words+3)
			fill(rows)
			fill(sum)
			want := integer(sum)
			for j := range n {
				number := make([]uint64, words)
				for i := range number {
					number[i] = rows[i*rns.Block+j]
				}
				want.Add(want, new(big.Int).Lsh(integer(number), uint(bit+j*d.size)))
			}
			over := new(big.Int).Lsh(big.NewInt(1), uint(64*len(sum)))
			through = through || want.Cmp(over) >= 0
			if next := d.add(sum, rows, n, bit); next != bit+n*d.size {
				t.Fatalf("the place after %d numbers of %d bits from %d on is %d", n, d.size, bit, next)
			}
			if integer(sum).Cmp(want.Mod(want, over)) != 0 {
				t.Fatalf("%d words, %d numbers of %d bits from %d on: wrong sum", words, n, d.size, bit)
			}
		}
	}
	if !through {
		t.Error("no carry has run through all words")
	}
}
