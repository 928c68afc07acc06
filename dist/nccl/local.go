package nccl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// Local returns the ends of a group of devices of this process, one for a goroutine each: see dist.Run. Where there is
// no NCCL, devices copy from each other, and what the ends' String says, as Explain of plans does, is why.
func Local(ctx context.Context, devices ...*gpu.Device) ([]dist.Group, error) {
	if ctx == nil {
		return nil, fmt.Errorf("nccl: %w: the context is nil", field.ErrSpec)
	}
	for _, d := range devices {
		if d == nil {
			return nil, fmt.Errorf("nccl: %w: want devices, one of them is nil", field.ErrSpec)
		}
	}
	_, missing := load()
	return localOf(ctx, devices, missing)
}

// localOf is Local by copies where NCCL is missing.
func localOf(ctx context.Context, devices []*gpu.Device, missing error) ([]dist.Group, error) {
	ends, err := dist.Local(len(devices))
	if err != nil {
		return nil, err
	}
	shared := &meeting{views: make([]sent, len(ends))}
	errs := make([]error, len(ends))
	var all sync.WaitGroup
	for i, g := range ends {
		of := &local{Group: g, bell: &shared.bell}
		if missing != nil {
			ends[i] = &peer{local: of, d: (*device.Device)(devices[i]), m: shared, why: missing}
			continue
		}
		all.Go(func() { ends[i], errs[i] = Over(ctx, of, devices[i]) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			for _, g := range ends {
				if g != nil {
					_ = g.Close()
				}
			}
			return nil, err
		}
	}
	return ends, nil
}

// local is a rank of a group of this process, with the alarm of all.
type local struct {
	dist.Group
	*bell
}

// peer is a rank whose device copies from the others'.
type peer struct {
	*local
	d   *device.Device
	m   *meeting
	why error
}

// meeting is what ranks show each other.
type meeting struct {
	bell
	views []sent // by rank; written before an agreement, and read after it
}

// sent is what a rank sends, once its event is reached.
type sent struct {
	planes []uint64
	bytes  int
	n      int
	event  *driver.Event
}

func (p *peer) String() string {
	return fmt.Sprintf("copies between devices, as there is no NCCL: %v", p.why)
}

// Exchange is that of dist.Group.
func (p *peer) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	pl, ok := b.(planes)
	if !ok {
		return p.Group.Exchange(ctx, b, recv, send)
	}
	to, in, bytes := pl.Planes(recv)
	from, out, _ := pl.Planes(send)
	event, err := p.d.Driver().NewEvent()
	if err == nil {
		defer func() { _ = event.Close() }()
		err = event.Record(from.Stream())
	}
	if send.N != recv.N || send.N%p.Size() != 0 {
		err = &field.LengthError{What: "recv", Want: send.N, Got: recv.N}
	}
	p.m.views[p.Rank()] = sent{out, bytes, send.N, event}
	if err := p.Agree(ctx, keyFound, err); err != nil {
		return err
	}
	err = p.copy(to, in, recv.N/p.Size()*bytes)
	// Nobody changes what it sends before all have read it. The copies end by themselves.
	to.Did(nil)
	err = errors.Join(err, p.d.Wait(context.Background(), to))
	err = p.Agree(ctx, keyMoved, err)
	runtime.KeepAlive(from) // others have addresses alone
	return err
}

// copy puts the copies on the stream of to.
func (p *peer) copy(to *device.Memory, in []uint64, part int) error {
	if part == 0 {
		return nil
	}
	stream := to.Stream()
	for i := range p.Size() {
		r := (p.Rank() + i) % p.Size()
		v := p.m.views[r]
		if err := stream.After(v.event); err != nil {
			return err
		}
		for j, at := range in {
			err := stream.Copy(driver.Pointer(at)+driver.Pointer(r*part),
				driver.Pointer(v.planes[j])+driver.Pointer(p.Rank()*part), part)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
