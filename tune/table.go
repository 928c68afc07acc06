package tune

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/tuning"
)

// Table is choices that were measured on this machine; it is a field.Tuning. It is safe
// for concurrent use but for Merge. Nil and zero tables are empty.
type Table struct{ t *tuning.Table }

// Load reads a file that Save wrote. The error is field.ErrTuning, with the file, the line and the reason, where it
// cannot be read, is damaged, or is of another machine or format.
func Load(file string) (*Table, error) {
	t, err := tuning.Read(file, tuning.Here())
	if err != nil {
		return nil, err
	}
	return &Table{t}, nil
}

// Path is the file that programs load by themselves: what the environment variable GALFFT_TUNE says, or
// galfft/tuning.txt in the user's directory of configurations. It is empty where GALFFT_TUNE is off, and
// field.ErrTuning where there is no such directory. A program reads the file once, when it makes its first plan.
func Path() (string, error) { return tuning.Path() }

// inner returns the table inside, or nil.
func (t *Table) inner() *tuning.Table {
	if t == nil {
		return nil
	}
	return t.t
}

// Save adds t's lines to a file, in place of those with the same keys, and makes the file where there is none. Readers
// see the old file or the new one, also where the program is killed; programs that save at once take turns. The error
// is field.ErrTuning, and the file stays as it is, where it is none for this machine or cannot be written.
func (t *Table) Save(file string) error {
	u := t.inner()
	if u == nil {
		u = tuning.New()
	}
	return u.Save(file)
}

// Merge adds the lines of other to t, in place of those with the same keys. t is not nil: Merge panics.
func (t *Table) Merge(other *Table) {
	if t.t == nil {
		t.t = tuning.New()
	}
	t.t.Merge(other.inner())
}

// Len is the number of lines.
func (t *Table) Len() int { return t.inner().Len() }

// Lines lists the lines in order, as they stand in files.
func (t *Table) Lines() []string {
	var list []string
	for _, l := range t.inner().Lines() {
		list = append(list, l.String())
	}
	for _, l := range t.inner().Products() {
		list = append(list, l.String())
	}
	for _, l := range t.inner().Devices() {
		list = append(list, l.String())
	}
	return list
}

// TunedDevice is that of field.Tuning, for the kernels that run.
func (t *Table) TunedDevice(name, device string) (field.TunedDevice, bool) {
	return t.inner().TunedDevice(name, device)
}

// TunedProducts is that of field.Tuning, for the kernels that run.
func (t *Table) TunedProducts(name string) (field.TunedProducts, bool) {
	return t.inner().TunedProducts(name)
}

// Tuned is that of field.Tuning, for the kernels that run.
func (t *Table) Tuned(k field.TuningKey) (field.Tuned, bool) { return t.inner().Tuned(k) }
