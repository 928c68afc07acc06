package gpu

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// DeviceField is a field whose transforms run on a device: see [Field]. It is immutable and safe for concurrent use.
type DeviceField[E any] struct {
	host[E]
	d       *Device
	v       vectorBulk
	b       bulk // the same with transforms, nil for fields that have none on devices
	least   int
	threads int
	others  []*DeviceField[E] // on other devices, which take a part of batches
}

// host is what fields of packages smallprime, gfpf and binary have, and a field on a device passes on.
type host[E any] interface {
	field.Rooted[E]
	field.Info
	field.Codec[E]
	field.Sampler[E]
	field.Vectors[E]
	field.RangeChecker[E]
	field.Checker
	field.Planner[E]
}

// bulk is a bulks.Bulk on a device, with whole transforms.
type bulk interface {
	bulks.Bulk
	vectorBulk
	// whole makes a transform of 2^n points, n ≥ 1, for coefficients of a kind.
	whole(d *schemes.Points, n int, of field.Coefficients) (schemes.Whole, error)
	most(threads int) // of a block of a pass
}

// Option adapts a field on a device.
type Option func(*options)

type options struct {
	device  *Device
	others  []*Device
	least   int
	threads int
}

// On chooses the device. The default is the first that opens, which all such fields share; after a Close of it, the
// next field opens one again.
func On(d *Device) Option { return func(o *options) { o.device = d } }

// Among deals batches of transforms out to several devices of this process, whole transforms to each: of Count by m
// devices, transforms ⌊i·Count/m⌋ to ⌊(i+1)·Count/m⌋ − 1 to the one that is listed at place i, or one to each of the
// first Count. They run at once; vectors of such plans are on all of them, and MemoryLimit is shared evenly. Progress
// is that of the first device. All else is as On the first one, vectors of NewVec and of queues among it. Devices
// differ from each other (else field.ErrSpec).
func Among(d ...*Device) Option {
	return func(o *options) {
		if len(d) > 0 {
			o.device, o.others = d[0], d[1:]
		}
	}
}

// From leaves transforms of fewer than n points in all, those of a batch together, to the processor.
func From(n int) Option { return func(o *options) { o.least = n } }

// Threads has passes of transforms take blocks of at most n threads, where n is a power of two from 32 to 1024 (else
// field.ErrSpec). Passes over words take 128 at least, over digits as many as a tile has columns, and over binary
// fields 256 whatever n is. Without it, and with 0, the length of a transform and the field choose. Results are the
// same.
func Threads(n int) Option { return func(o *options) { o.threads = n } }

// Field returns f with transforms and vectors on a device. f is a field of package smallprime, one of gfpf, or one of
// package binary in any basis; any other is field.ErrSpec. Elements of type gfpf.Number go by way of a buffer, which
// each call with a slice of them allocates. Binary fields have vectors there, by [DeviceField.NewVec], and those of 32,
// 64, 128 and 256 bits modulo the default polynomial transforms over affine domains; their other transforms stay on the
// processor. Element methods, roots and names are those of f. The error is ErrUnavailable where there is no device.
func Field[E any](f field.Rooted[E], opts ...Option) (*DeviceField[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	h, ok := f.(host[E])
	if !ok {
		return nil, unsupported(f)
	}
	o, err := optionsOf(opts)
	if err != nil {
		return nil, err
	}
	on, err := onOne(h, o)
	if err != nil {
		return nil, err
	}
	for _, d := range o.others {
		o.device = d
		other, err := onOne(h, o)
		if err != nil {
			return nil, err
		}
		on.others = append(on.others, other)
	}
	return on, nil
}

// onOne is the field on one device.
func onOne[E any](h host[E], o options) (*DeviceField[E], error) {
	v, err := newVectorBulk(h, o.device)
	if err != nil {
		return nil, err
	}
	b, _ := v.(bulk)
	if two, ok := v.(*gf2); ok {
		b = withTransforms(two)
	}
	if b != nil && o.threads > 0 {
		b.most(o.threads)
	}
	return &DeviceField[E]{host: h, d: o.device, v: v, b: b, least: o.least, threads: o.threads}, nil
}

// optionsOf is options with a device.
func optionsOf(opts []Option) (o options, err error) {
	for _, set := range opts {
		set(&o)
	}
	if t := o.threads; t != 0 && (t < 32 || t > 1024 || t&(t-1) != 0) {
		return o, fmt.Errorf("gpu: %w: blocks of %d threads, want a power of two from 32 to 1024", field.ErrSpec, t)
	}
	if slices.Contains(o.others, nil) || len(o.others) > 0 && o.device == nil {
		return o, fmt.Errorf("gpu: %w: want devices, one of them is nil", field.ErrSpec)
	}
	for i, d := range o.others {
		if d == o.device || slices.Contains(o.others[:i], d) {
			return o, fmt.Errorf("gpu: %w: a device twice in a list, want each once", field.ErrSpec)
		}
	}
	if o.device == nil {
		var d *device.Device
		d, err = first.Get()
		o.device = (*Device)(d)
	}
	return o, err
}

func unsupported(f any) error {
	return fmt.Errorf("gpu: %w: there are no kernels for %T", field.ErrSpec, f)
}

func newVectorBulk[E any](f host[E], d *Device) (vectorBulk, error) {
	switch g := any(f).(type) {
	case interface{ Modulus() uint64 }:
		return newWords(d.room(), g.Modulus(), 8, pointer[E])
	case interface{ Modulus() uint32 }:
		return newWords(d.room(), uint64(g.Modulus()), 4, pointer[E])
	case interface {
		Radix() uint64
		ShiftOrder() uint64
	}:
		var e E
		if k := int(g.ShiftOrder() / 2); isSlice[E]() || k == int(unsafe.Sizeof(e)/8) {
			return newDigits[E](d.room(), f, g.Radix(), k)
		}
	case interface {
		Degree() int
		Modulus() *big.Int
	}:
		if f.Characteristic().Cmp(big.NewInt(2)) == 0 {
			return gf2Of[E](d.room(), g.Degree(), g.Modulus())
		}
	}
	return nil, unsupported(f)
}

// pointer is where the elements of a view of a slice are.
func pointer[E any](v bulks.View) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(bulks.SliceOf[E](v)))
}

// isSlice reports whether elements are slices of words, as gfpf.Number and some of package binary are.
func isSlice[E any]() bool {
	t := reflect.TypeFor[E]()
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint64
}

// slicesOf is the slice of a view of such elements.
func slicesOf[E any](v bulks.View) [][]uint64 {
	x := bulks.SliceOf[E](v)
	return unsafe.Slice((*[]uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Unwrap returns the field that was wrapped.
func (f *DeviceField[E]) Unwrap() field.Rooted[E] { return f.host }

// Device returns the device, nil for nil and for the zero DeviceField.
func (f *DeviceField[E]) Device() *Device {
	if f == nil {
		return nil
	}
	return f.d
}

// Threads is the option of that name, 0 without.
func (f *DeviceField[E]) Threads() int {
	if f == nil {
		return 0
	}
	return f.threads
}

// Check is an error for nil and for the zero DeviceField.
func (f *DeviceField[E]) Check() error {
	if f == nil || f.host == nil {
		return fmt.Errorf("gpu: %w: no field", field.ErrSpec)
	}
	return f.host.Check()
}

// Resident reports whether a transform of n points runs on the device, as a whole or in a scheme that has passes there;
// false over binary fields, some of whose transforms do.
func (f *DeviceField[E]) Resident(n int) bool {
	return f.Check() == nil && f.b != nil && !f.b.Traits().Affine && n >= max(2, f.least) && n&(n-1) == 0
}

// Bulk returns the arithmetic of transforms on the device; nil for fields that have none there. Over binary fields it
// has no tables.
func (f *DeviceField[E]) Bulk() bulks.Bulk { return f.b }

// Convolution is that of field.Convolver. Over words it is on the device, for powers of two from 2 and from From up;
// all else is that of the wrapped field, on the processor.
func (f *DeviceField[E]) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[E], error) {
	if b, ok := f.b.(*words); ok && n >= max(2, f.least) && n&(n-1) == 0 {
		c, err := newConvolution(f, b, n, negacyclic, s)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	if c, ok := f.host.(field.Convolver[E]); ok {
		return c.Convolution(n, negacyclic, s)
	}
	return nil, fmt.Errorf("gpu: %w: %T has no convolutions of its own", field.ErrNoRoot, f.host)
}

// ConvolutionCost is 3 for every n, as for words on the processor.
func (f *DeviceField[E]) ConvolutionCost(int) float64 { return 3 }

// serves reports whether the device has transforms over such a domain.
func (f *DeviceField[E]) serves(d field.Domain[E]) bool {
	switch d.(type) {
	case field.Cyclic[E]:
		return f.b != nil && !f.b.Traits().Affine
	case field.Affine[E]:
		return f.b != nil && f.b.Traits().Affine
	}
	return false
}

// Plan is that of field.Planner. Powers of two run on the device: in whole transforms, or pass by pass in the scheme
// that s names, of depth-first, six-step, merged six-step and four-step. All else runs on the processor, as the field
// does it. The report says where.
func (f *DeviceField[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if !f.serves(d) {
		return schemes.New(f.host, d, s)
	}
	_, affine := d.(field.Affine[E])
	points, device := d.Len(), false
	n := log2(points)
	if points >= 2 && 1<<n == points && points*max(s.Batch.Count, 1) >= f.least {
		switch s.Algorithm {
		case field.Auto, field.DepthFirst, field.SixStep, field.SixStepMerged, field.FourStep:
			device = true
		}
	}
	switch {
	case !device:
		return schemes.New(f.host, d, s)
	case affine && s.Algorithm != field.Auto:
		return schemes.New(f.host, d, s)
	case len(f.others) > 0 && s.Batch.Count > 1:
		return f.deal(d, s)
	case s.Algorithm != field.Auto, s.Spread != nil: // a rank's part is passes on both sides of an exchange
		return schemes.Build[E](f, f.b, d, s)
	}
	return schemes.BuildWhole[E](f, f.b, d, s, func(p *schemes.Points) (schemes.Whole, error) {
		return f.b.whole(p, n, s.Coefficients)
	})
}
