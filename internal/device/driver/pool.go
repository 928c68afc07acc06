package driver

import "unsafe"

// Pools reports whether Stream.Alloc is of a pool of the driver's, which CUDA 11.2 brought and not every device has.
func (d *Device) Pools() bool { return d.pool }

// Alloc makes device memory as Device.Alloc does, for work of the stream and what comes after it. Where there is a pool
// it is the default one of the device, which the process shares, and nothing waits for the device.
func (s *Stream) Alloc(bytes int) (Pointer, error) {
	d := s.device
	if !d.pool {
		return d.Alloc(bytes)
	}
	h, err := s.use("stream")
	if err != nil {
		return 0, err
	}
	// It may have the stream wait for others.
	if err := s.pay(nil); err != nil {
		return 0, err
	}
	var p Pointer
	err = d.ask(cuMemAllocAsync, uintptr(unsafe.Pointer(&p)), uintptr(bytes), h)
	return p, detail(err, "%d bytes on device %d", bytes, d.info.Index)
}

// Release gives memory of Alloc back after all work that the stream has so far; without a pool, as Device.Release does.
func (s *Stream) Release(p Pointer) error {
	d := s.device
	if !d.pool || p == 0 {
		return d.Release(p)
	}
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	return d.back(cuMemFreeAsync, uintptr(p), h)
}

// Wait returns when all work of the device is done that anybody has put on it, but for streams that record a graph. It
// harms no capture, as a wait for the context does.
func (d *Device) Wait() error {
	p, err := d.Alloc(1)
	if err != nil {
		return err
	}
	return d.Release(p)
}

// Share lets peer reach memory of the pool of d, as it does other memory of d, where the two devices are connected.
func (d *Device) Share(peer *Device) error {
	const onDevice, readWrite = 1, 3 // of CUmemLocationType, CUmemAccess_flags
	if !d.pool || d.ordinal == peer.ordinal {
		return nil
	}
	var can int32
	err := d.library.ask(cuDeviceCanAccessPeer, uintptr(unsafe.Pointer(&can)), uintptr(peer.ordinal),
		uintptr(d.ordinal))
	if err != nil || can == 0 {
		return detail(err, "devices %d and %d", d.info.Index, peer.info.Index)
	}
	var pool uintptr
	if err = d.library.ask(cuDeviceGetDefaultMemPool, uintptr(unsafe.Pointer(&pool)), uintptr(d.ordinal)); err == nil {
		access := struct{ kind, device, flags int32 }{onDevice, peer.ordinal, readWrite}
		err = d.library.ask(cuMemPoolSetAccess, pool, uintptr(unsafe.Pointer(&access)), 1)
	}
	return detail(err, "devices %d and %d", d.info.Index, peer.info.Index)
}
