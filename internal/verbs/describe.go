package verbs

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/internal/factor"
)

// Description is what a field is, for people and as JSON.
type Description struct {
	Name       string `json:"field"`
	Modulus    string `json:"modulus"`             // the number of elements where that is no prime
	Bits       int    `json:"bits"`                // of an element
	Factors    string `json:"factors,omitempty"`   // of the number of elements less 1, whose divisors are the lengths
	TwoAdicity uint   `json:"two_adicity"`         // the largest k such that 2^k divides the number of elements less 1
	Root       string `json:"root"`                // of unity, of order 2^RootBits
	RootBits   uint   `json:"root_bits"`           // the 2-adicity, or the largest that a length has
	Dimension  int    `json:"dimension,omitempty"` // of the field over GF(2), where it has subspaces: 2^k points up to it
	Form       string `json:"form"`                // of vectors in transforms of powers of two
	Products   string `json:"products,omitempty"`  // of vectors on the device, where those have several multipliers
}

// typicalBits is of the length whose plan tells the form of vectors: the least of which every field has tiles.
const typicalBits = 6

func (h *hidden) Describe(ctx context.Context, b Backend) (Description, error) {
	q := h.Order()
	less := new(big.Int).Sub(q, big.NewInt(1))
	d := Description{
		Name:       h.Name(),
		Modulus:    q.String(),
		Bits:       less.BitLen(), // of elements
		Factors:    h.factors(less),
		TwoAdicity: less.TrailingZeroBits(),
	}
	d.RootBits = min(d.TwoAdicity, bits.UintSize-2)
	root := h.zero()
	if err := h.f.RootOfUnity(root, 1<<d.RootBits); err != nil {
		return d, err
	}
	d.Root = h.text(root)
	n := 1 << min(d.RootBits, typicalBits)
	if h.f.Subspaces() {
		d.Dimension = d.Bits
		n = 1 << min(d.Dimension, typicalBits)
	}
	if h.f.Subspaces() && b != CPU {
		at, err := h.place(b, math.MaxInt)
		if err != nil {
			return d, err
		}
		if d.Products = at.multipliers(); !at.Subspaces() { // only products are on the device
			b = CPU
		}
	}
	p, err := h.plan(ctx, n, Options{Backend: b})
	if err != nil {
		return d, err
	}
	d.Form = p.Report().Form
	return d, nil
}

// radixed is a field of r^k + 1 elements.
type radixed interface{ Radix() uint64 }

// factors writes the order of the group of units as a product of powers of primes, which are those of r where it is
// r^k; it is empty where the primes are not known.
func (h *hidden) factors(order *big.Int) string {
	base, rest := order.Uint64(), new(big.Int).Set(order)
	if r, ok := h.Info.(radixed); ok {
		base = r.Radix()
	} else if !order.IsUint64() {
		return ""
	}
	powers, quotient, remainder := factor.Powers(base), new(big.Int), new(big.Int)
	for i := range powers {
		q := new(big.Int).SetUint64(powers[i].Prime)
		powers[i].Exp = 0
		for {
			if quotient.QuoRem(rest, q, remainder); remainder.Sign() != 0 {
				break
			}
			rest, quotient = quotient, rest
			powers[i].Exp++
		}
	}
	return factor.Text(powers)
}

func (h *hidden) Explain(ctx context.Context, w io.Writer, n int, opt Options) error {
	p, err := h.plan(ctx, n, opt)
	if err != nil {
		return err
	}
	if err := p.Explain(w); err != nil {
		return err
	}
	if opt.Backend == Auto {
		from, threads, source := h.crossover()
		if threads > 0 {
			source = fmt.Sprintf("blocks of at most %d threads, %s", threads, source)
		}
		if _, err := fmt.Fprintf(w, "device   from %d elements on, %s\n", from, source); err != nil {
			return err
		}
	}
	if p.Affine {
		return nil
	}
	root, _ := h.f.Cyclic(&p.Domain)
	_, err = fmt.Fprintf(w, "root     %s\n", h.text(root))
	return err
}
