package dist

import (
	"context"
	"sync"

	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/depthfirst"
)

// lender is what a [Group] is whose ranks share memory: they reach into the vectors of each other.
type lender interface {
	Group
	// lend is Agree, and lends the vectors of a rank to all others, where there is no error.
	lend(ctx context.Context, key uint64, err error, own depthfirst.Lent) (*loan, error)
}

// loan is the vectors of all ranks in a call, which others reach into until all have settled, or one leaves the call.
type loan struct {
	of       []depthfirst.Lent
	mu       sync.RWMutex // held by those that reach, for reading
	recalled bool
}

// reach does a step on the vectors of all ranks, unless one of them has left the call.
func (l *loan) reach(do func()) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.recalled {
		do()
	}
}

// recall ends a loan: nobody reaches into any vector when it returns, nor later.
func (l *loan) recall() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recalled = true
}

// lend is a phase of a call, of a group that is a lender.
func (e *end) lend(w *engine.Watch, own depthfirst.Lent) []depthfirst.Lent {
	if e.agreed == nil {
		var l *loan
		if l, e.agreed = e.g.(lender).lend(w.Context(), e.key, w.Err(), own); e.agreed == nil {
			e.loan = l
			return l.of
		}
	}
	w.Failed(e.agreed)
	return nil
}

// settle is the phase behind what reaches into vectors: all are through where nobody has failed.
func (e *end) settle(w *engine.Watch) {
	if e.agree(w) {
		e.loan = nil
	}
}

// leave is for a rank that may leave a call before all have settled.
func (e *end) leave() {
	if e.loan != nil {
		e.loan.recall()
		e.loan = nil
	}
}
