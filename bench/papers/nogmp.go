//go:build !cgo || !gmp

package main

import "github.com/galfft/fft/field/bigprime/gmp"

func parallelGMP(*session) error { return gmp.ErrUnavailable }

func arithmetics(*session) error { return gmp.ErrUnavailable }
