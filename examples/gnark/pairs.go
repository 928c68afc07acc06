package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bls12381fft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bn254fft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/consensys/gnark-crypto/field/babybear"
	babybearfft "github.com/consensys/gnark-crypto/field/babybear/fft"
	"github.com/consensys/gnark-crypto/field/goldilocks"
	goldilocksfft "github.com/consensys/gnark-crypto/field/goldilocks/fft"
	"github.com/consensys/gnark-crypto/field/koalabear"
	koalabearfft "github.com/consensys/gnark-crypto/field/koalabear/fft"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
)

// pairs are the fields. A pair is made for a length that is a power of two.
var pairs = []func(n int) (pair, error){
	func(n int) (pair, error) {
		d := goldilocksfft.NewDomain(uint64(n))
		return newPair[goldilocks.Element](smallprime.Goldilocks(), d, n, d.Generator.Bits()[0],
			d.FrMultiplicativeGen.Bits()[0], goldilocksfft.WithNbTasks(1), goldilocksfft.OnCoset())
	},
	func(n int) (pair, error) {
		d := babybearfft.NewDomain(uint64(n))
		return newPair[babybear.Element](smallprime.BabyBear(), d, n, d.Generator.Bits()[0],
			d.FrMultiplicativeGen.Bits()[0], babybearfft.WithNbTasks(1), babybearfft.OnCoset())
	},
	func(n int) (pair, error) {
		d := koalabearfft.NewDomain(uint64(n))
		return newPair[koalabear.Element](smallprime.KoalaBear(), d, n, d.Generator.Bits()[0],
			d.FrMultiplicativeGen.Bits()[0], koalabearfft.WithNbTasks(1), koalabearfft.OnCoset())
	},
	func(n int) (pair, error) {
		d := bn254fft.NewDomain(uint64(n))
		return newPair[bn254.Element](bigprime.BN254(), d, n, d.Generator.Bits(), d.FrMultiplicativeGen.Bits(),
			bn254fft.WithNbTasks(1), bn254fft.OnCoset())
	},
	func(n int) (pair, error) {
		d := bls12381fft.NewDomain(uint64(n))
		return newPair[bls12381.Element](bigprime.BLS12381(), d, n, d.Generator.Bits(), d.FrMultiplicativeGen.Bits(),
			bls12381fft.WithNbTasks(1), bls12381fft.OnCoset())
	},
}

// transform is one of the transforms that gnark-crypto has.
type transform struct {
	inverse    bool
	decimation Decimation
	coset      bool
}

func (t transform) String() string {
	s := "forward"
	if t.inverse {
		s = "inverse"
	}
	s += [...]string{DIT: ", DIT", DIF: ", DIF"}[t.decimation]
	if t.coset {
		s += ", coset"
	}
	return s
}

func transforms() (list []transform) {
	for _, coset := range []bool{false, true} {
		for _, inverse := range []bool{false, true} {
			for _, d := range []Decimation{DIF, DIT} {
				list = append(list, transform{inverse, d, coset})
			}
		}
	}
	return list
}

// pair is two vectors of one field, transformed by gnark-crypto and by plans.
type pair interface {
	fmt.Stringer
	fill(rnd *rand.Rand) // both, with the same random values
	theirs(t transform)
	ours(t transform) error
	equal() bool
}

// theirDomain is what the domains of gnark-crypto have in common: O are its options.
type theirDomain[E any, D ~uint8, O any] interface {
	FFT(a []E, decimation D, opts ...O)
	FFTInverse(a []E, decimation D, opts ...O)
}

type primeField[W any] interface {
	field.Field[W]
	field.Info
	field.Sampler[W]
}

type pairOf[E comparable, W any, D ~uint8, O any] struct {
	f                primeField[W]
	domain           theirDomain[E, D, O]
	oneTask, onCoset O
	plain, coset     *Domain[E, W]
	x, y             []E
}

// newPair has gnark-crypto's domain of n points w^j, and shift·w^j with the option onCoset.
func newPair[E comparable, W any, D ~uint8, O any](f primeField[W], domain theirDomain[E, D, O], n int, w, shift W,
	oneTask, onCoset O) (pair, error) {
	var one W
	f.One(&one)
	plain, err := NewDomain[E](f, n, w, one)
	if err != nil {
		return nil, err
	}
	coset, err := NewDomain[E](f, n, w, shift)
	if err != nil {
		return nil, err
	}
	return &pairOf[E, W, D, O]{f, domain, oneTask, onCoset, plain, coset, make([]E, n), make([]E, n)}, nil
}

func (p *pairOf[E, W, D, O]) String() string { return p.f.Name() }

func (p *pairOf[E, W, D, O]) fill(rnd *rand.Rand) {
	x := words[W](p.x)
	for i := range x {
		p.f.Random(&x[i], rnd)
	}
	copy(p.y, p.x)
}

func (p *pairOf[E, W, D, O]) theirs(t transform) {
	options := []O{p.oneTask, p.onCoset}[:1]
	if t.coset {
		options = options[:2]
	}
	if t.inverse {
		p.domain.FFTInverse(p.x, D(t.decimation), options...)
	} else {
		p.domain.FFT(p.x, D(t.decimation), options...)
	}
}

func (p *pairOf[E, W, D, O]) ours(t transform) error {
	d := p.plain
	if t.coset {
		d = p.coset
	}
	if t.inverse {
		return d.FFTInverse(p.y, t.decimation)
	}
	return d.FFT(p.y, t.decimation)
}

func (p *pairOf[E, W, D, O]) equal() bool { return slices.Equal(p.x, p.y) }
