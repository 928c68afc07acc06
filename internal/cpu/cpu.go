// Package cpu says which instructions the kernels may use.
//
// A tier is a set of processor features that kernels need together; it counts as present where every one of them
// is. The highest tier present runs, unless the environment variable GALFFT_CPU names a lower one or the program
// was built with the tag purego, which leaves all assembly out.
package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// Variable is the environment variable that lowers the tier. A value that ends with -gfni leaves GFNI out as well.
const (
	Variable = "GALFFT_CPU"
	lessGFNI = "-gfni"
)

// Tier is a set of features, ordered: what runs on a tier runs on those of its architecture above it.
type Tier int32

// The tiers of amd64, and that of arm64.
const (
	Generic Tier = iota // Go alone
	AVX2                // 256-bit vectors
	AVX512              // 512-bit vectors: F and DQ, with the BW and VL that every such processor has
	IFMA                // AVX512 and products of 52 bits
	NEON                // 128-bit vectors of arm64
)

var names = []string{"generic", "avx2", "avx512", "ifma", "neon"}

// String returns generic, avx2, avx512, ifma or neon.
func (t Tier) String() string {
	if t < 0 || int(t) >= len(names) {
		return fmt.Sprintf("#%d", t)
	}
	return names[t]
}

// Parse is the inverse of String.
func Parse(s string) (Tier, error) {
	if i := slices.Index(names, s); i >= 0 {
		return Tier(i), nil
	}
	return 0, fmt.Errorf("cpu: unknown tier %q, want one of %s", s, strings.Join(names, ", "))
}

// feature is a property of the processor that a tier needs.
type feature struct {
	name string
	has  bool
}

// state is what was decided when the program started.
var state = choose(os.Getenv(Variable))

var (
	active atomic.Int32
	plain  atomic.Bool // without GFNI
)

func init() {
	active.Store(int32(state.tier))
	plain.Store(state.plain)
}

// Active returns the tier that runs.
func Active() Tier { return Tier(active.Load()) }

// MULX reports whether kernels for words, one by one, may take the instructions MULX, ADCX and ADOX, which BMI2 and ADX
// have. They belong to no tier: every one but Generic has them where the processor does.
func MULX() bool { return mulx && Active() != Generic }

// CLMUL reports whether kernels may take the products of polynomials over GF(2) of PCLMULQDQ, or of PMULL. They
// belong to no tier: every one but Generic has them where the processor does.
func CLMUL() bool { return clmul && Active() != Generic }

// VPCLMUL reports whether they may take those of VPCLMULQDQ, in vectors of all lengths that the tier has.
func VPCLMUL() bool { return vpclmul && CLMUL() }

// GFNI reports whether kernels with vectors of 512 bits may take the products of bytes of GFNI and the permutations of
// bytes of VBMI. They belong to no tier: those from AVX512 on have them where the processor does.
func GFNI() bool { return vbmi && GFNI256() && Active() >= AVX512 }

// GFNI256 reports whether kernels with vectors of 256 bits may take those products, as every tier from AVX2 on has them
// where the processor does.
func GFNI256() bool { return gfni && !plain.Load() && Active() >= AVX2 && Active() != NEON }

// WithoutGFNI leaves GFNI out, in plans made from then on, and returns what undoes it.
func WithoutGFNI() (undo func()) {
	old := plain.Swap(true)
	return func() { plain.Store(old) }
}

// Features lists what the processor has of the features that tiers and kernels need, by the names of Linux.
func Features() []string {
	var list []string
	if len(known) > 0 {
		for _, f := range features(known[len(known)-1]) { // the last has those of all
			if f.has {
				list = append(list, f.name)
			}
		}
	}
	if mulx {
		list = append(list, "bmi2", "adx")
	}
	if clmul {
		list = append(list, clmulName)
	}
	if vpclmul {
		list = append(list, "vpclmulqdq")
	}
	if gfni {
		list = append(list, "gfni")
	}
	if vbmi {
		list = append(list, "avx512vbmi")
	}
	return list
}

// Why returns the reason for the tier that runs, in words.
func Why() string {
	if t := Active(); t != state.tier {
		return fmt.Sprintf("set to %v by the program", t)
	}
	return state.why
}

// Present lists the tiers whose features are all there and compiled in, lowest first. It starts with Generic.
func Present() []Tier {
	tiers := []Tier{Generic}
	for _, t := range known {
		if len(missing(t)) == 0 {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

// Err says that the environment variable names no tier, or one that is not present, where that is so. The highest tier
// present runs then, as without the variable.
func Err() error { return state.err }

// Use makes t the active tier, of plans made from then on, and returns what undoes it. It fails where t is not
// present.
func Use(t Tier) (undo func(), err error) {
	if err := absent(t); err != nil {
		return nil, err
	}
	old := active.Swap(int32(t))
	return func() { active.Store(old) }, nil
}

// absent is an error where t is not present.
func absent(t Tier) error {
	if slices.Contains(Present(), t) {
		return nil
	}
	return fmt.Errorf("cpu: tier %v is not there: %s", t, lack(t))
}

type choice struct {
	tier  Tier
	plain bool
	why   string
	err   error // of what was asked for
}

// choose takes the highest tier present, and no higher one than asked for.
func choose(asked string) choice {
	present := Present()
	best := present[len(present)-1]
	c := choice{tier: best, why: "the highest tier that this processor has"}
	if next := slices.Index(known, best) + 1; next < len(known) {
		c.why += "; " + lack(known[next])
	} else if best == Generic {
		c.why = noTiers
	}
	if asked == "" {
		return c
	}
	setting := fmt.Sprintf("%s=%s", Variable, asked)
	name, less := strings.CutSuffix(asked, lessGFNI)
	t, err := Parse(name)
	if err == nil {
		err = absent(t)
	}
	if err != nil {
		c.err = fmt.Errorf("%s: %w", setting, err)
		return c
	}
	return choice{tier: t, plain: less, why: setting}
}

func lack(t Tier) string {
	m := missing(t)
	if len(m) == 0 {
		return fmt.Sprintf("%v is not built in", t)
	}
	return fmt.Sprintf("%v needs %s", t, strings.Join(m, ", "))
}

func missing(t Tier) []string {
	var m []string
	needed := features(t)
	for _, f := range needed {
		if !f.has {
			m = append(m, f.name)
		}
	}
	if len(needed) == 0 && t != Generic {
		return []string{"another processor or build"}
	}
	return m
}
