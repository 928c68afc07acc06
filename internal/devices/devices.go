// Package devices puts fields of hidden element types on a GPU. Package gpu is compiled for each type of elements here,
// once, and not in each package that hides types.
package devices

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/gpu"
)

// Field is gpu.Field for a field of any type of elements that kernels may have: it takes a field.Rooted[E] and returns
// a *gpu.DeviceField[E], and its device. Errors are those of gpu.Field; another type of elements is field.ErrSpec.
func Field(f any, opts ...gpu.Option) (any, *gpu.Info, error) {
	switch f := f.(type) {
	case field.Rooted[uint32]:
		return of(f, opts)
	case field.Rooted[uint64]:
		return of(f, opts)
	case field.Rooted[[2]uint64]:
		return of(f, opts)
	case field.Rooted[binary.Number]:
		return of(f, opts)
	case field.Rooted[[4]uint64]:
		return of(f, opts)
	case field.Rooted[[8]uint64]:
		return of(f, opts)
	case field.Rooted[[16]uint64]:
		return of(f, opts)
	case field.Rooted[[32]uint64]:
		return of(f, opts)
	case field.Rooted[[64]uint64]:
		return of(f, opts)
	case field.Rooted[[128]uint64]:
		return of(f, opts)
	}
	return nil, nil, fmt.Errorf("galfft: %w: there are no kernels for %T", field.ErrSpec, f)
}

func of[E any](f field.Rooted[E], opts []gpu.Option) (any, *gpu.Info, error) {
	g, err := gpu.Field(f, opts...)
	if err != nil {
		return nil, nil, err
	}
	d := g.Device().Info()
	return g, &d, nil
}
