package residues

// Inside reports whether the workers of a transform share it, and Grain sets what a task has at least.
func (p *Product) Inside() bool { return p.inside }

// SetGrain sets what a task has at least.
func (p *Product) SetGrain(n int) { p.loops.Grain = n }
