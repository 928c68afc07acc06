package field

import "fmt"

// Tuning has choices that were measured, for the function that chooses how to transform (Spec.Tuning), for package poly
// and for whoever chooses between a device and the processor. It is safe for concurrent use. Package tune makes tables
// of them; [Untuned] has none.
type Tuning interface {
	// Tuned returns what was measured for k; ok is false where nothing was. It is asked once for each plan in which the
	// scheme, the base case, the strip, the radix, the cache, the twiddles and the grain are free.
	Tuned(k TuningKey) (t Tuned, ok bool)
	// TunedProducts returns what was measured for products over the field of a name, that of TuningName; ok is false
	// where nothing was.
	TunedProducts(name string) (t TunedProducts, ok bool)
	// TunedDevice returns what was measured for the field of a name, that of TuningName, on a device of a name; ok is
	// false where nothing was.
	TunedDevice(name, device string) (t TunedDevice, ok bool)
}

// Untuned is a Tuning of nothing, to be embedded by those of one kind of choices.
type Untuned struct{}

func (Untuned) Tuned(TuningKey) (t Tuned, ok bool)               { return t, false }
func (Untuned) TunedProducts(string) (t TunedProducts, ok bool)  { return t, false }
func (Untuned) TunedDevice(_, _ string) (t TunedDevice, ok bool) { return t, false }

// TunedProducts is what products over a field take.
type TunedProducts struct {
	Schoolbook int    // coefficients of the shorter operand up to which the schoolbook is faster; 0 is what poly takes
	Source     string // where it stands, as FILE:LINE, for reports
}

// TunedDevice is where a device is faster, for calls on slices of the host.
type TunedDevice struct {
	From    int    // the least number of elements, of all transforms of a call
	Threads int    // of a block of a pass, at most; 0 is what the device takes by itself
	Source  string // where it stands, as FILE:LINE, for reports
}

// TuningName is the type of a field, with its name where it has one.
func TuningName(f any) string {
	name := fmt.Sprintf("%T", f)
	if i, ok := f.(Info); ok {
		name += " " + i.Name()
	}
	return name
}

// TuningKey is what a choice depends on.
type TuningKey struct {
	Form    string // Traits.Form of the bulk
	Field   string // the type of the field where passes take elements one by one (Traits.Single), else ""
	Bytes   int    // of an element in a vector
	N       int
	Order   Order
	Workers int  // that one transform may use, at least 1
	Batch   bool // the transform is one of several in a call
}

// Tuned is a choice, of which zero values are left to the plan.
type Tuned struct {
	Algorithm Algorithm
	Base      int
	Strip     int
	Radix     int
	Twiddles  Twiddles
	Tasks     int    // of one transform, at most the workers of the key
	Source    string // where it stands, as FILE:LINE, for reports
}

// Check is an ErrSpec where a value is none that a Spec may have.
func (t Tuned) Check() error {
	switch {
	case t.Algorithm > Codelet:
		return fmt.Errorf("fft: %w: scheme %v", ErrSpec, t.Algorithm)
	case t.Twiddles > TwoLevel:
		return fmt.Errorf("fft: %w: twiddles %v", ErrSpec, t.Twiddles)
	case t.Tasks < 0:
		return fmt.Errorf("fft: %w: %d tasks, want none negative", ErrSpec, t.Tasks)
	}
	for _, p := range []struct {
		name string
		v    int
	}{{"base case", t.Base}, {"strip", t.Strip}, {"radix", t.Radix}} {
		if p.v < 0 || p.v == 1 || p.v&(p.v-1) != 0 {
			return fmt.Errorf("fft: %w: %s %d, want a power of two, at least 2", ErrSpec, p.name, p.v)
		}
	}
	return nil
}
