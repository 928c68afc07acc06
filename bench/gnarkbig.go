package main

import (
	"encoding/binary"
	"slices"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bls12381fft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bn254fft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
)

// Scalar fields of curves in gnark-crypto, with as many tasks as asked for.

func gnarkBN254(n, tasks int) peer[[4]uint64] {
	d, a := bn254fft.NewDomain(uint64(n)), make([]bn254.Element, n)
	return peer[[4]uint64]{
		root: d.Generator.Bits(),
		load: func(x [][4]uint64) {
			for i := range x {
				a[i].SetBytes(bigEndian(x[i]))
			}
		},
		forward: func() { d.FFT(a, bn254fft.DIF, bn254fft.WithNbTasks(tasks)) },
		values: func() [][4]uint64 {
			y := make([][4]uint64, n)
			for i := range a {
				y[i] = a[i].Bits()
			}
			return y
		},
	}
}

func gnarkBLS12381(n, tasks int) peer[[4]uint64] {
	d, a := bls12381fft.NewDomain(uint64(n)), make([]bls12381.Element, n)
	return peer[[4]uint64]{
		root: d.Generator.Bits(),
		load: func(x [][4]uint64) {
			for i := range x {
				a[i].SetBytes(bigEndian(x[i]))
			}
		},
		forward: func() { d.FFT(a, bls12381fft.DIF, bls12381fft.WithNbTasks(tasks)) },
		values: func() [][4]uint64 {
			y := make([][4]uint64, n)
			for i := range a {
				y[i] = a[i].Bits()
			}
			return y
		},
	}
}

// bigEndian returns the bytes of a number, the highest first.
func bigEndian(x [4]uint64) []byte {
	var b []byte
	for _, w := range slices.Backward(x[:]) {
		b = binary.BigEndian.AppendUint64(b, w)
	}
	return b
}
