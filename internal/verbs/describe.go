package verbs

import (
	"io"
	"math/big"

	"github.com/galfft/fft"
)

// Description is what a field is, for people and as JSON.
type Description struct {
	Name       string `json:"field"`
	Modulus    string `json:"modulus"` // the number of elements where that is no prime
	Bits       int    `json:"bits"`
	TwoAdicity uint   `json:"two_adicity"` // the largest k such that 2^k divides the number of elements less 1
	Form       string `json:"form"`
}

func (h hidden[E]) Describe() (Description, error) {
	q := h.Order()
	d := Description{
		Name:       h.Name(),
		Modulus:    q.String(),
		Bits:       q.BitLen(),
		TwoAdicity: new(big.Int).Sub(q, big.NewInt(1)).TrailingZeroBits(),
	}
	p, err := fft.NewPlan(h.known.field(), 1)
	if err != nil {
		return d, err
	}
	d.Form = p.Report().Form
	return d, nil
}

func (h hidden[E]) Explain(w io.Writer, n int, opt Options) error {
	p, err := fft.NewPlan(h.known.field(), n, opt.plan()...)
	if err != nil {
		return err
	}
	return p.Explain(w)
}
