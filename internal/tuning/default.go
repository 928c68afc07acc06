package tuning

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/galfft/fft/field"
)

// Variable is the environment variable that names the file of the user, or is [Off].
const (
	Variable = "GALFFT_TUNE"
	Off      = "off" // no tuned values at all
)

// Path is the file that programs load: what GALFFT_TUNE says, or galfft/tuning.txt in the user's directory of
// configurations. It is empty where GALFFT_TUNE is off, and an ErrTuning where there is no such directory.
func Path() (string, error) {
	switch file := os.Getenv(Variable); file {
	case Off:
		return "", nil
	case "":
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("tuning: %w: no directory of configurations: %w", field.ErrTuning, err)
		}
		return filepath.Join(dir, "galfft", "tuning.txt"), nil
	default:
		return file, nil
	}
}

// Loaded is what programs choose by, unless they say otherwise.
type Loaded struct {
	File  string // of the user; "" where there is none to look for
	User  *Table // of that file; nil where it is not there or not usable
	Built *Table // of the family of the processor; nil where none was measured
	Err   error  // why the file of the user was left aside
}

// None reports whether there is no table.
func (l *Loaded) None() bool { return l.User == nil && l.Built == nil }

// Tuned asks the table of the user first.
func (l *Loaded) Tuned(k field.TuningKey) (field.Tuned, bool) {
	if t, ok := l.User.Tuned(k); ok {
		return t, ok
	}
	return l.Built.Tuned(k)
}

// TunedProducts asks the table of the user first.
func (l *Loaded) TunedProducts(name string) (field.TunedProducts, bool) {
	if t, ok := l.User.TunedProducts(name); ok {
		return t, ok
	}
	return l.Built.TunedProducts(name)
}

// TunedDevice asks the table of the user, as devices are not of a family of processors.
func (l *Loaded) TunedDevice(name, device string) (field.TunedDevice, bool) {
	return l.User.TunedDevice(name, device)
}

// HasDevices reports whether there is a line on any device.
func (l *Loaded) HasDevices() bool { return len(l.User.Devices()) > 0 }

// Default reads the file of the user at the first call.
func Default() *Loaded { return once() }

var once = sync.OnceValue(func() *Loaded { return load(defaults, sync.OnceValue(Here)) })

//go:embed defaults
var defaults embed.FS

// load is Default for the built-in tables in the directory defaults of files, and the machine of here, which is asked
// for where there is a table.
func load(files fs.FS, here func() Header) *Loaded {
	if os.Getenv(Variable) == Off {
		return new(Loaded)
	}
	l := &Loaded{Built: builtIn(files, here)}
	if l.File, l.Err = Path(); l.Err != nil {
		if os.Getenv(Variable) == "" { // a user without a home has no file
			l.Err = nil
		}
		return l
	}
	if _, err := os.Stat(l.File); err == nil {
		l.User, l.Err = Read(l.File, here())
	} else if os.Getenv(Variable) != "" || !errors.Is(err, fs.ErrNotExist) {
		l.Err = errLine(l.File, 0, err)
	}
	return l
}

// builtIn returns the first table for the processor of here; a test reads them all.
func builtIn(files fs.FS, here func() Header) *Table {
	names, _ := fs.Glob(files, "defaults/*.txt") // the pattern is good
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			continue
		}
		if t, err := Parse("built-in "+path.Base(name), text, here()); err == nil {
			return t
		}
	}
	return nil
}
