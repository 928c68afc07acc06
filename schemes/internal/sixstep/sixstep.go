// Package sixstep makes the schemes of package schemes/sixstep.
package sixstep

import (
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
)

// Merged makes the merged scheme of p.
func Merged(p *core.Problem) (core.Scheme, error) {
	s, err := base.NewStages(p)
	if err != nil {
		return nil, err
	}
	return &merged{s}, nil
}

// Explicit makes the scheme of p with explicit transposes.
func Explicit(p *core.Problem) (core.Scheme, error) {
	s, err := base.NewStages(p)
	if err != nil {
		return nil, err
	}
	return &explicit{s}, nil
}
