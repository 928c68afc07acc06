package driver

import "unsafe"

// Use is what a kernel takes of a multiprocessor.
type Use struct {
	Registers int // of a thread
	Local     int // bytes of a thread's local memory, where registers are spilled to
	Blocks    int // that a multiprocessor holds at once
}

// Use asks for blocks of so many threads, with so many bytes of dynamic shared memory.
func (f *Function) Use(threads, shared int) (Use, error) {
	const localSize, numRegs = 3, 4 // of CUfunction_attribute
	if _, err := f.module.use("module"); err != nil {
		return Use{}, err
	}
	d, value := f.module.device, int32(0)
	var u Use
	for _, a := range []struct {
		attribute uintptr
		to        *int
	}{{localSize, &u.Local}, {numRegs, &u.Registers}} {
		err := d.ask(cuFuncGetAttribute, uintptr(unsafe.Pointer(&value)), a.attribute, f.handle)
		if err != nil {
			return Use{}, detail(err, "%s", f.name)
		}
		*a.to = int(value)
	}
	err := d.ask(cuOccupancyMaxActiveBlocksPerMultiprocessor, uintptr(unsafe.Pointer(&value)), f.handle,
		narrow(threads), uintptr(shared))
	if err != nil {
		return Use{}, detail(err, "%s, blocks of %d threads, %d bytes of shared memory", f.name, threads, shared)
	}
	u.Blocks = int(value)
	return u, nil
}
