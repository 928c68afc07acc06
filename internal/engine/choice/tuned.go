package choice

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Tuned is [Of] with what p.Spec.Tuning has for the key k in place of what nobody asked for. The spec that it returns
// is p's, with the workers and the grain of the tasks that were chosen.
//
// A choice was measured as a whole, and so it is taken as a whole, or not at all where a part of it was asked for. One
// that cannot run here is ignored, with the reason.
func Tuned(p Problem, k field.TuningKey) (c Choice, s field.Spec, ignored string, err error) {
	s = p.Spec
	if s.Tuning == nil || s.Algorithm != field.Auto || s.Base != 0 || s.Strip != 0 || s.Radix != 0 ||
		s.Cache != 0 || s.Grain != 0 || s.Twiddles != field.AutoTwiddles {
		c, err = Of(p)
		return c, s, "", err
	}
	t, ok := s.Tuning.Tuned(k)
	if !ok {
		c, err = Of(p)
		return c, s, "", err
	}
	if err = t.Check(); err == nil {
		with := p
		with.Spec.Algorithm, with.Spec.Base = t.Algorithm, t.Base
		with.Spec.Strip, with.Spec.Twiddles, with.Spec.Radix = t.Strip, t.Twiddles, t.Radix
		if t.Tasks > 0 && t.Tasks <= k.Workers {
			s.Workers, s.Grain = t.Tasks, max(1, p.N/t.Tasks)
			with.Spec.Workers, with.Spec.Grain = s.Workers, s.Grain
		}
		if c, err = with.of("tuned: "+t.Source, "; tuned: "+t.Source); err == nil {
			return c, s, "", nil
		}
	}
	ignored = fmt.Sprintf("%s: %v", t.Source, err)
	c, err = Of(p)
	return c, p.Spec, ignored, err
}
