package device

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"github.com/galfft/fft/internal/device/driver"
)

// Host is memory of the host that all devices copy to and from without staging. It lives until its Close, also where
// the device that it was made on is closed before.
type Host struct {
	d      *driver.Device // with a use of the context of its own
	memory []byte
}

// hosts is all such memory.
var hosts registry

// registry is sorted by address.
type registry struct {
	sync.RWMutex
	list []*Host
}

// find is the place of memory that begins at an address, and whether there is one.
func (r *registry) find(at uintptr) (int, bool) {
	return slices.BinarySearchFunc(r.list, at, func(h *Host, at uintptr) int { return cmp.Compare(h.at(), at) })
}

// has reports whether bytes from p on are of such memory.
func (r *registry) has(p unsafe.Pointer, bytes int) bool {
	r.RLock()
	defer r.RUnlock()
	i, ok := r.find(uintptr(p))
	if !ok {
		i--
	}
	return i >= 0 && uintptr(p)-r.list[i].at()+uintptr(bytes) <= uintptr(len(r.list[i].memory))
}

// NewHost makes so many zero bytes, at least one, by way of d.
func (d *Device) NewHost(bytes int) (*Host, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	l, err := driver.Open()
	if err != nil {
		return nil, err
	}
	own, err := l.Device(d.Info().Index)
	if err != nil {
		return nil, err
	}
	memory, err := own.Pinned(bytes)
	if err != nil {
		return nil, cmp.Or(err, own.Close())
	}
	clear(memory)
	h := &Host{d: own, memory: memory}
	hosts.Lock()
	defer hosts.Unlock()
	at, _ := hosts.find(h.at())
	hosts.list = slices.Insert(hosts.list, at, h)
	return h, nil
}

func (h *Host) at() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(h.memory))) }

// Bytes is the memory, nil after Close.
func (h *Host) Bytes() []byte { return h.memory }

// Close gives the memory back: nobody may use it then. A second call does nothing.
func (h *Host) Close() error {
	hosts.Lock()
	defer hosts.Unlock()
	if h.memory == nil {
		return nil
	}
	if i, ok := hosts.find(h.at()); ok {
		hosts.list = slices.Delete(hosts.list, i, i+1)
	}
	memory := h.memory
	h.memory = nil
	return cmp.Or(h.d.ReleasePinned(memory), h.d.Close())
}
