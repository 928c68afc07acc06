package dist

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/depthfirst"
	"github.com/galfft/fft/schemes/fourstep"
)

// end is the place of a plan in a group. It is an engine.Spread.
type end struct {
	g      Group
	blocks Blocks

	mu     sync.Mutex // held by the call under way
	key    uint64     // of it
	agreed error      // what all ranks return
	inside bool       // it is in an exchange
	loan   *loan      // until all have settled

	n1, n2 int // set by Build
	form   string
	near   bool // ranks reach into the vectors of each other
}

func (e *end) Size() int { return e.g.Size() }

// Build makes the scheme of this rank.
func (e *end) Build(p *engine.Problem) (engine.Scheme, error) {
	s, err := e.build(p)
	if err != nil {
		return nil, err
	}
	e.n1, e.form = p.C.N1, strings.Replace(p.T.Form, p.T.Device, "", 1) // devices may have several names
	e.n2 = p.D.N / e.n1
	return s, nil
}

func (e *end) build(p *engine.Problem) (engine.Scheme, error) {
	exchange := func(w *engine.Watch, recv, send engine.View) { e.exchange(w, p.F, recv, send) }
	begin := func(w *engine.Watch) { e.agree(w) }
	if _, ok := e.g.(lender); ok && depthfirst.Nears(p) {
		e.near = true
		return depthfirst.BuildNear(p, depthfirst.Near{Rank: e.g.Rank(), Size: e.g.Size(),
			Coefficients: e.blocks.Coefficients, Values: e.blocks.Values, Begin: begin, Exchange: exchange,
			Lend: e.lend, Reach: func(do func()) { e.loan.reach(do) }, Settle: e.settle})
	}
	return fourstep.BuildPart(p, fourstep.Ranks{Rank: e.g.Rank(), Size: e.g.Size(),
		Coefficients: e.blocks.Coefficients, Values: e.blocks.Values,
		Begin: begin, Exchange: exchange, Chunks: e.chunks,
		ExchangeSteps: func(w *engine.Watch, recv, send engine.View, c fourstep.Chunks, before, after func(int) error) {
			e.exchangeSteps(w, p.F, recv, send, Chunks(c), before, after)
		}})
}

// agree sees to it that nobody has an error, and reports whether that is so.
func (e *end) agree(w *engine.Watch) bool {
	if e.agreed == nil {
		e.agreed = e.g.Agree(w.Context(), e.key, w.Err())
	}
	return !w.Failed(e.agreed)
}

// exchange is a phase of a call.
func (e *end) exchange(w *engine.Watch, b bulks.Bulk, recv, send engine.View) {
	if e.agree(w) {
		e.inside = true
		e.agreed = e.g.Exchange(w.Context(), b, recv, send)
		e.inside = false
		w.Failed(e.agreed)
	}
}

// chunks is in how many steps the group exchanges.
func (e *end) chunks(bytes int) int {
	if g, ok := e.g.(Stepper); ok {
		return g.Steps(bytes)
	}
	return 1
}

// exchangeSteps is a phase of a call, of a group that is a Stepper.
func (e *end) exchangeSteps(w *engine.Watch, b bulks.Bulk, recv, send engine.View, c Chunks,
	before, after func(chunk int) error) {
	if e.agree(w) {
		e.inside = true
		e.agreed = e.g.(Stepper).ExchangeSteps(w.Context(), b, recv, send, c, before, after)
		e.inside = false
		w.Failed(e.agreed)
	}
}

// call is a call of all ranks: they return the worst of their errors. A rank that has one before an exchange comes to
// the agreement of the others there with it. Where do panics, or its goroutine ends, the others are told.
func (e *end) call(ctx context.Context, key uint64, do func() error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var missing error
	if ctx == nil {
		ctx, missing = context.Background(), errContext
	}
	e.key, e.agreed, e.inside = key, nil, false
	returned := false
	defer func() {
		if returned {
			return
		}
		e.leave()
		switch {
		case e.inside: // the others wait in the exchange, or come to: this rank is out of step
			_ = e.g.Close()
		case e.agreed == nil:
			_ = e.g.Agree(ctx, key, errLeft)
		}
	}()
	err := missing
	if err == nil {
		err = do()
	}
	e.leave()
	if e.agreed == nil {
		e.agreed = e.g.Agree(ctx, key, err)
	}
	returned = true
	return e.agreed
}

var (
	errContext = fmt.Errorf("dist: %w: the context is nil", field.ErrSpec)
	errLeft    = fmt.Errorf("%w: it has left the call by a panic", ErrRank)
)
