//go:build !cgo || !gmp

package literal

import "github.com/galfft/fft/internal/nils"

var nilsNCW = nils.Quiet() // NCW is not there
