package tuning

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

// Format is the number of the format of files. It grows whenever a choice of old files would mean something else.
const Format = 3

// module is the path of this module.
const module = "github.com/galfft/fft"

// Header says where lines were measured.
type Header struct {
	CPU      string // its name; of built-in tables a part of it, where Family is set
	Family   bool
	Features string // of the processor that kernels ask for, with blanks between
	Tiers    string // that it has, with blanks between
	Go       string
	Module   string // the version of this module
}

// Here is the header of what is measured now.
func Here() Header {
	tiers := make([]string, 0, 4)
	for _, t := range cpu.Present() {
		tiers = append(tiers, t.String())
	}
	return Header{CPU: cpu.Name(), Features: strings.Join(cpu.Features(), " "), Tiers: strings.Join(tiers, " "),
		Go: runtime.Version(), Module: version()}
}

// version is that of this module in the program, or unknown.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionIn(info)
}

func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Version != "" {
			return m.Version
		}
	}
	return "unknown"
}

// foreign is the reason why lines of h do not hold on the machine of here, or nil. Versions of Go and of the module may
// differ: then other choices may be faster by now.
func (h Header) foreign(here Header) error {
	for _, p := range []struct{ what, want, got string }{
		{"processor", here.CPU, h.CPU}, {"features", here.Features, h.Features}, {"tiers", here.Tiers, h.Tiers},
	} {
		same := p.want == p.got
		if p.what == "processor" && h.Family {
			same = strings.Contains(p.want, p.got)
		}
		if !same {
			return fmt.Errorf("measured on another machine: %s %q, and this one has %q", p.what, p.got, p.want)
		}
	}
	return nil
}

// Key is the key of a line: what a choice depends on, and the tier of the kernels.
type Key struct {
	field.TuningKey
	Tier cpu.Tier
}

// compare orders lines: by field, then by length.
func (k Key) compare(l Key) int {
	b := func(v bool) int {
		if v {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(k.Tier, l.Tier), cmp.Compare(k.Form, l.Form), cmp.Compare(k.Field, l.Field),
		cmp.Compare(k.Bytes, l.Bytes), cmp.Compare(k.N, l.N), cmp.Compare(k.Order, l.Order),
		cmp.Compare(k.Workers, l.Workers), cmp.Compare(b(k.Batch), b(l.Batch)))
}

// Line is one choice, with a note for people. Tuned.Source is not in a file.
type Line struct {
	Key   Key
	Tuned field.Tuned
	Note  string // one line
}

// ProductKey is the key of a line on products: the field.TuningName of a field, and the tier of the kernels.
type ProductKey struct {
	Field string
	Tier  cpu.Tier
}

// ProductLine is what products over a field take, with a note for people.
type ProductLine struct {
	Key   ProductKey
	Tuned field.TunedProducts
	Note  string // one line
}

// DeviceKey is the key of a line on a device: the field.TuningName of a field, the name of the device, and the tier of
// the kernels of the processor beside it.
type DeviceKey struct {
	Field, Device string
	Tier          cpu.Tier
}

// DeviceLine is from where on a device is faster, with a note for people.
type DeviceLine struct {
	Key   DeviceKey
	Tuned field.TunedDevice
	Note  string // one line
}

// Table is a set of lines with different keys. It is safe for concurrent use as long as nobody adds to it. Nil is an
// empty one, but for those that add, and Merge.
type Table struct {
	Header   Header
	lines    map[Key]Line
	products map[ProductKey]ProductLine
	devices  map[DeviceKey]DeviceLine
}

// New returns an empty table of this machine.
func New() *Table { return newTable(Here()) }

func newTable(h Header) *Table {
	return &Table{h, make(map[Key]Line), make(map[ProductKey]ProductLine), make(map[DeviceKey]DeviceLine)}
}

// Len is the number of lines.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return len(t.lines) + len(t.products) + len(t.devices)
}

// Add adds a line in place of one with the same key.
func (t *Table) Add(l Line) { t.lines[l.Key] = l }

// AddProducts is Add for a line on products.
func (t *Table) AddProducts(l ProductLine) { t.products[l.Key] = l }

// AddDevice is Add for a line on a device.
func (t *Table) AddDevice(l DeviceLine) { t.devices[l.Key] = l }

// Merge adds the lines of other, in place of those with the same key.
func (t *Table) Merge(other *Table) {
	if other != nil {
		maps.Copy(t.lines, other.lines)
		maps.Copy(t.products, other.products)
		maps.Copy(t.devices, other.devices)
	}
}

// Products lists the lines on products in order.
func (t *Table) Products() []ProductLine {
	if t == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(t.products), func(a, b ProductLine) int {
		return cmp.Or(cmp.Compare(a.Key.Tier, b.Key.Tier), cmp.Compare(a.Key.Field, b.Key.Field))
	})
}

// Devices lists the lines on devices in order.
func (t *Table) Devices() []DeviceLine {
	if t == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(t.devices), func(a, b DeviceLine) int {
		return cmp.Or(cmp.Compare(a.Key.Tier, b.Key.Tier), cmp.Compare(a.Key.Field, b.Key.Field),
			cmp.Compare(a.Key.Device, b.Key.Device))
	})
}

// TunedDevice is that of field.Tuning, for the tier that runs.
func (t *Table) TunedDevice(name, device string) (field.TunedDevice, bool) {
	if t == nil {
		return field.TunedDevice{}, false
	}
	l, ok := t.devices[DeviceKey{name, device, cpu.Active()}]
	return l.Tuned, ok
}

// TunedProducts is that of field.Tuning, for the tier that runs.
func (t *Table) TunedProducts(name string) (field.TunedProducts, bool) {
	if t == nil {
		return field.TunedProducts{}, false
	}
	l, ok := t.products[ProductKey{name, cpu.Active()}]
	return l.Tuned, ok
}

// Lines lists the lines on transforms in order.
func (t *Table) Lines() []Line {
	if t == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(t.lines), func(a, b Line) int { return a.Key.compare(b.Key) })
}

// Tuned is that of field.Tuning, for the tier that runs.
func (t *Table) Tuned(k field.TuningKey) (field.Tuned, bool) {
	if t == nil {
		return field.Tuned{}, false
	}
	l, ok := t.lines[Key{k, cpu.Active()}]
	return l.Tuned, ok
}
