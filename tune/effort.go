package tune

import (
	"fmt"
	"slices"
	"time"

	"github.com/galfft/fft/field"
)

// Effort says how much is tried.
type Effort uint8

const (
	Estimate   Effort = iota // schemes and numbers of tasks
	Thorough                 // and base cases, strips, radices and forms of twiddle factors, one after the other: "measure"
	Exhaustive               // all of them together
)

var efforts = []string{"estimate", "measure", "exhaustive"}

// String returns estimate, measure or exhaustive.
func (e Effort) String() string {
	if int(e) < len(efforts) {
		return efforts[e]
	}
	return fmt.Sprintf("#%d", e)
}

// ParseEffort is the inverse of String.
func ParseEffort(s string) (Effort, error) {
	if i := slices.Index(efforts, s); i >= 0 {
		return Effort(i), nil
	}
	return 0, fmt.Errorf("tune: %w: effort %q, want one of %q", field.ErrSpec, s, efforts)
}

// slot is the time for one comparison.
func (e Effort) slot() time.Duration {
	return []time.Duration{30 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond}[e]
}
