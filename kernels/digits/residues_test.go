package digits

import (
	"math/big"
	"testing"
)

func TestModuli(t *testing.T) {
	for _, p := range moduli {
		if uint64(p)%256 != 1 || p > 1<<46 || !p.big().ProbablyPrime(20) {
			t.Errorf("%d", p)
		}
		if w := p.root(256); p.pow(w, 128) != uint64(p)-1 {
			t.Errorf("%d: %d has not the order 256", p, w)
		}
	}
}

// Constants have the places that primeAt says, and factors are below the moduli, with their quotients.
func TestConstants(t *testing.T) {
	for k := 16; k <= 128; k *= 2 {
		m := Constants(1<<64-1, k)
		if len(m) != primeAt(len(moduli), k) {
			t.Fatalf("k = %d: %d words, want %d", k, len(m), primeAt(len(moduli), k))
		}
		for j, p := range moduli {
			c := m[primeAt(j, k):primeAt(j+1, k)]
			if c[0] != 1<<52-uint64(p) || c[1]*uint64(p)%(1<<52) != 1 || c[2] != 1<<46%uint64(p) {
				t.Fatalf("k = %d: %v", k, c[:8])
			}
			for i := 8; i < len(c); i += 2 {
				q := new(big.Int).SetUint64(c[i+1])
				if c[i+1] >= uint64(p) || q.Lsh(q, 52).Div(q, p.big()).Uint64() != c[i] {
					t.Fatalf("k = %d, factor %d: %v", k, i, c[i:i+2])
				}
			}
		}
	}
}
