package driver

import (
	"cmp"
	"fmt"
	"runtime"
	"unsafe"
)

// Graph is work that a stream recorded, to be run at the cost of one launch. What it reads and writes is where it was
// when it was recorded, and so are the arguments of its kernels.
type Graph struct{ object }

// Capture records what record puts on the stream, and on others that wait for its events; nothing of it runs. Meanwhile
// record neither allocates nor waits for the device, and what it returns ends Capture without a graph. It is
// ErrNoGraphs where the driver is too old.
func (s *Stream) Capture(record func() error) (*Graph, error) {
	const threadLocal = 1
	if !s.device.library.Graphs() {
		return nil, fmt.Errorf("%w: version %s, want 11.4", ErrNoGraphs, s.device.library.Version())
	}
	h, err := s.use("stream")
	if err != nil {
		return nil, err
	}
	// Else record would do it, in the graph.
	if err := s.pay(nil); err != nil {
		return nil, err
	}

	runtime.LockOSThread() // the thread that begins has to end it
	defer runtime.UnlockOSThread()
	d := s.device
	if err := d.call(cuStreamBeginCapture, h, threadLocal); err != nil {
		return nil, err
	}
	var recorded uintptr
	escape(unsafe.Pointer(&recorded))
	end := func() error { return d.back(cuStreamEndCapture, h, uintptr(unsafe.Pointer(&recorded))) }
	defer func() {
		if end != nil { // record has panicked
			_ = end()
		}
	}()
	err = record()
	err = cmp.Or(err, end())
	end = nil
	g := &Graph{object{device: d}}
	if err == nil {
		err = d.ask(cuGraphInstantiateWithFlags, uintptr(unsafe.Pointer(&g.handle)), recorded, 0)
	}
	if recorded != 0 {
		err = cmp.Or(err, d.back(cuGraphDestroy, recorded))
	}
	if err == nil {
		return g, nil
	}
	if g.handle != 0 {
		_ = g.Close()
	}
	return nil, err
}

// Launch runs the graph as one piece of work of the stream. Two runs of a graph do not overlap. Next, which may be nil,
// is an event that the caller owes behind it: where the stream owes it before, it is not recorded there.
func (g *Graph) Launch(s *Stream, next *Event) error {
	h, err := g.use("graph")
	if err != nil {
		return err
	}
	stream, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(next); err != nil {
		return err
	}
	return g.device.call(cuGraphLaunch, h, stream)
}

// Close ends the graph. Runs that are under way go on.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	return g.end(cuGraphExecDestroy)
}
