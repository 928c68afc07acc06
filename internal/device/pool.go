package device

import (
	"cmp"
	"errors"
	"sync"

	"github.com/galfft/fft/internal/device/driver"
)

// release gives memory back, where the driver has a pool on a stream of its own: behind all that queues have at the
// time, as any of it may read the memory. Nobody waits for that then.
func (d *Device) release(at driver.Pointer) error {
	if at == 0 || d.freeing == nil {
		return d.d.Release(at) // which waits for the device
	}
	behind, err := d.behindAll(d.freeing)
	if !behind {
		err = cmp.Or(err, d.d.Wait())
	}
	return cmp.Or(d.freeing.Release(at), err)
}

// behindAll has later work of a stream begin after all that queues have so far. It is false where that cannot be said,
// as one of them records a graph.
func (d *Device) behindAll(s *Stream) (bool, error) {
	event, err := d.events.take(d.d)
	if err != nil {
		return false, err
	}
	defer d.events.put(event)
	d.mu.Lock()
	defer d.mu.Unlock()
	for q := range d.queues {
		if captures, err := q.captures(); captures || err != nil {
			return false, err
		}
		if err := cmp.Or(event.Record(q.stream), s.After(event)); err != nil {
			return false, err
		}
	}
	err = cmp.Or(event.Record(d.stream), s.After(event))
	return err == nil, err
}

// open is all devices of the process, which reach each other's memory as they would without pools.
var open struct {
	sync.Mutex
	all map[*Device]struct{}
}

func (d *Device) enlist() (err error) {
	open.Lock()
	defer open.Unlock()
	for other := range open.all {
		err = errors.Join(err, d.d.Share(other.d), other.d.Share(d.d))
	}
	if open.all == nil {
		open.all = map[*Device]struct{}{}
	}
	open.all[d] = struct{}{}
	return err
}

func (d *Device) delist() {
	open.Lock()
	delete(open.all, d)
	open.Unlock()
}
