package device

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/kernels/cuda"
)

// Function is a kernel of package cuda. The driver compiles it when it is launched first, or by Load before, and no
// other one with it: modules have many more than a plan needs, and compiling takes longer than most calls.
type Function struct {
	d            *Device
	module, name string
	shared       int
	loaded       atomic.Pointer[driver.Function]
	full         atomic.Pointer[fullness]
}

// fullness is the blocks of a shape that fill the device.
type fullness struct{ threads, shared, blocks int }

// Function is a kernel of a module of package cuda, which may take that much shared memory.
func (d *Device) Function(module, name string, shared int) *Function {
	return &Function{d: d, module: module, name: name, shared: shared}
}

// Loaded is a kernel of a module that the caller has loaded, and keeps.
func Loaded(f *driver.Function) *Function {
	l := new(Function)
	l.loaded.Store(f)
	return l
}

// String is its name.
func (f *Function) String() string { return f.name }

// Compiled lists the kernels that the device has compiled, sorted.
func (d *Device) Compiled() (names []string) {
	d.kernels.mu.Lock()
	defer d.kernels.mu.Unlock()
	for name, k := range d.kernels.all {
		if k.module.Load() != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Load compiles kernels, each on a thread of its own, and returns the first error of the list.
func Load(list ...*Function) error {
	errs := make([]error, len(list))
	par.Fork.Run(len(list), func(i int) { errs[i] = list[i].Load() })
	return cmp.Or(errs...)
}

// Load compiles the kernel, unless that is done.
func (f *Function) Load() error {
	if f.loaded.Load() != nil {
		return nil
	}
	if err := f.d.enter(); err != nil {
		return err
	}
	defer f.d.leave()
	_, err := f.load()
	return err
}

// Use is what the kernel takes of a multiprocessor, in blocks of so many threads.
func (f *Function) Use(threads, shared int) (driver.Use, error) {
	loaded, err := f.load()
	if err != nil {
		return driver.Use{}, err
	}
	return loaded.Use(threads, shared)
}

// Fill is how many blocks of so many threads, with so many bytes of shared memory, the device has at once, as threads,
// registers and shared memory of its multiprocessors bound them. The driver is asked when one of these changes.
func (f *Function) Fill(threads, shared int) (int, error) {
	if l := f.full.Load(); l != nil && l.threads == threads && l.shared == shared {
		return l.blocks, nil
	}
	if err := f.d.enter(); err != nil {
		return 0, err
	}
	defer f.d.leave()
	u, err := f.Use(threads, shared)
	if err != nil {
		return 0, err
	}
	l := &fullness{threads, shared, max(1, u.Blocks) * f.d.Info().Multiprocessors}
	f.full.Store(l)
	return l.blocks, nil
}

func (f *Function) load() (*driver.Function, error) {
	if l := f.loaded.Load(); l != nil {
		return l, nil
	}
	m, err := f.d.kernels.module(f.d.d, f.module, f.name)
	if err != nil {
		return nil, fmt.Errorf("gpu: kernel %s: %w", f.name, err)
	}
	l, err := m.Function(f.name)
	if err == nil && f.shared > 0 {
		err = l.MaxShared(f.shared)
	}
	if err != nil {
		return nil, err
	}
	f.loaded.Store(l)
	return l, nil
}

// kernels are those of a device that somebody has asked for.
type kernels struct {
	cache cache
	mu    sync.Mutex
	texts map[string]cuda.Module
	all   map[string]*compiled
}

// compiled is one kernel, a module of the driver's once that is done.
type compiled struct {
	once   sync.Mutex // held while it is compiled
	module atomic.Pointer[driver.Module]
}

// module is that of one kernel. Others are compiled meanwhile.
func (k *kernels) module(d *driver.Device, module, name string) (*driver.Module, error) {
	c, text := k.kernel(module, name)
	c.once.Lock()
	defer c.once.Unlock()
	if m := c.module.Load(); m != nil {
		return m, nil
	}
	m, err := k.cache.load(d, text.Kernel(name))
	if err == nil {
		c.module.Store(m)
	}
	return m, err
}

func (k *kernels) kernel(module, name string) (*compiled, cuda.Module) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts, k.all = map[string]cuda.Module{}, map[string]*compiled{}
	}
	text, ok := k.texts[module]
	if !ok {
		text = cuda.Open(module)
		k.texts[module] = text
	}
	c := k.all[name]
	if c == nil {
		c = new(compiled)
		k.all[name] = c
	}
	return c, text
}

func (k *kernels) close() (err error) {
	for _, c := range k.all {
		err = cmp.Or(err, c.module.Load().Close())
	}
	return err
}
