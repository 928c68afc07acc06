package pin

import (
	"sync/atomic"
	"time"
)

// gate lets one goroutine wait for another, by polling at first and asleep later. Each open lets one wait pass.
type gate struct {
	state *atomic.Uint32
	wake  chan struct{}
}

const (
	closed   = iota
	opened   // the next wait passes
	sleeping // the waiter blocks on wake
)

func newGate() gate { return gate{new(atomic.Uint32), make(chan struct{}, 1)} }

func (g gate) open() {
	if g.state.Swap(opened) == sleeping {
		g.wake <- struct{}{}
	}
}

// wait passes the gate and closes it behind itself.
func (g gate) wait(spin time.Duration) {
	if !g.poll(spin) && g.state.CompareAndSwap(closed, sleeping) {
		<-g.wake
	}
	g.state.Store(closed)
}

const pollsPerTime = 64

// poll waits for the gate to open and reports whether it did within the time. The clock costs more than a look
// at the state, so it is read once in pollsPerTime looks.
func (g gate) poll(spin time.Duration) bool {
	if spin == 0 {
		return g.state.Load() == opened
	}
	for start := time.Now(); time.Since(start) < spin; {
		for range pollsPerTime {
			if g.state.Load() == opened {
				return true
			}
		}
	}
	return false
}
