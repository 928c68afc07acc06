package fft

import "github.com/galfft/fft/internal/tuning"

// WithLoaded sets what is loaded in place of the file of the user.
func WithLoaded(load func() *tuning.Loaded) Option { return func(c *config) { c.load = load } }
