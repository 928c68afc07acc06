package driver

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// Module is kernels, compiled for one device.
type Module struct{ object }

// Function is one kernel of a module, which it does not outlive.
type Function struct {
	module *Module
	handle uintptr
	name   string
}

// Args are the arguments of a kernel, in order. Each takes a slot: numbers of 64 bits and pointers all of it, numbers
// of 32 bits its lower half. What is behind the last argument is ignored.
type Args [32]uint64

// Load compiles PTX for the device, or takes what Compile has made of it. The driver keeps what it compiled on disk, so
// that a second process waits less. An error has the log of the compiler; it is ErrModule where the text is bad, and
// ErrArchitecture where the device, or the version of the driver, is not one that the text is for.
func (d *Device) Load(image string) (*Module, error) {
	m := &Module{object{device: d}}
	err := d.logged(image, func(text []byte, log *jitLog) error {
		return d.ask(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&text[0])),
			uintptr(len(log.options)), uintptr(unsafe.Pointer(&log.options)), uintptr(unsafe.Pointer(&log.values)))
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Compile compiles PTX to what Load takes at once, on this kind of device and by a driver that is no older. It is the
// driver's linker that does so, for several callers at a time, which Load does not. Errors are those of Load.
func (d *Device) Compile(ptx string) (image string, err error) {
	const kind = 1 // CU_JIT_INPUT_PTX
	var linker, at, bytes uintptr
	name := []byte("kernel\x00")
	err = d.logged(ptx, func(text []byte, log *jitLog) error {
		err := d.ask(cuLinkCreate, uintptr(len(log.options)), uintptr(unsafe.Pointer(&log.options)),
			uintptr(unsafe.Pointer(&log.values)), uintptr(unsafe.Pointer(&linker)))
		if err != nil {
			return err
		}
		err = d.ask(cuLinkAddData, linker, kind, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)),
			uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
		if err == nil {
			err = d.ask(cuLinkComplete, linker, uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(&bytes)))
		}
		if err == nil { // the linker has it
			image = strings.Clone(unsafe.String(*(**byte)(unsafe.Pointer(&at)), bytes))
		}
		err = cmp.Or(err, d.back(cuLinkDestroy, linker))
		runtime.KeepAlive(log) // the linker writes there until now
		return err
	})
	return image, err
}

// jitLog are options for a log of errors, as CUjit_option has them.
type jitLog struct {
	options [2]int32
	values  [2]uintptr
}

// logged has do compile an image, and adds the log to its error.
func (d *Device) logged(image string, do func(text []byte, log *jitLog) error) error {
	if need := target(image); need > 10*d.info.Major+d.info.Minor { // for the driver it is PTX like any that is bad
		return fmt.Errorf("device %d: %w: kernels are for %d.%d, and it has compute capability %d.%d", d.info.Index,
			ErrArchitecture, need/10, need%10, d.info.Major, d.info.Minor)
	}
	const errorLog, errorLogBytes = 5, 6
	text, log := append([]byte(image), 0), make([]byte, 8<<10)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&log[0])
	err := d.Beside(func() error {
		return do(text, &jitLog{[...]int32{errorLog, errorLogBytes},
			[...]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log) - 1)}})
	})
	return detail(err, "%s", strings.TrimSpace(goString(&log[0])))
}

// target is ten times the compute capability that PTX is for, 0 where it does not say.
func target(ptx string) (n int) {
	_, after, _ := strings.Cut(ptx, ".target sm_")
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// Close unloads the kernels.
func (m *Module) Close() error {
	if m == nil {
		return nil
	}
	return m.end(cuModuleUnload)
}

// Function finds a kernel. It is ErrModule where the module has none of that name.
func (m *Module) Function(name string) (*Function, error) {
	h, err := m.use("module")
	if err != nil {
		return nil, err
	}
	f := &Function{module: m, name: name}
	text := append([]byte(name), 0)
	err = m.device.ask(cuModuleGetFunction, uintptr(unsafe.Pointer(&f.handle)), h, uintptr(unsafe.Pointer(&text[0])))
	if err != nil {
		return nil, detail(err, "%s", name)
	}
	return f, nil
}

// MaxShared lets launches have up to so many bytes of shared memory, at most Info.SharedOptIn. Above Info.Shared it has
// to be called once before.
func (f *Function) MaxShared(bytes int) error {
	const maxDynamicShared = 8
	if _, err := f.module.use("module"); err != nil {
		return err
	}
	err := f.module.device.call(cuFuncSetAttribute, f.handle, maxDynamicShared, narrow(bytes))
	return detail(err, "%d bytes of shared memory for %s", bytes, f.name)
}

// Launch runs the kernel on a grid of x times y blocks of threads, each block with so many bytes of dynamic shared
// memory. The arguments are read before it returns. It allocates nothing.
func (f *Function) Launch(s *Stream, grid [2]int, threads, shared int, args *Args) error {
	if _, err := f.module.use("module"); err != nil {
		return err
	}
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(nil); err != nil {
		return err
	}
	d := f.module.device
	frame := d.library.take()
	frame.values = *args
	err = d.call(cuLaunchKernel, f.handle, narrow(grid[0]), narrow(grid[1]), 1, narrow(threads), 1, 1,
		narrow(shared), h, uintptr(unsafe.Pointer(&frame.params)), 0)
	d.library.give(frame)
	if err != nil {
		return detail(err, "%s, %d by %d blocks of %d threads, %d bytes of shared memory", f.name, grid[0], grid[1],
			threads, shared)
	}
	return nil
}
