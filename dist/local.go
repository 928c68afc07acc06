package dist

import (
	"context"
	"fmt"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes/depthfirst"
)

// Local returns the ends of a group of n ranks in this process, one for a goroutine each: see [Run]. They share
// memory: over words they take the layers of one plan, and reach into the vectors of each other for the first ones. All
// else they exchange by copies from there, and so do ends that a Group of another type wraps.
func Local(n int) ([]Group, error) {
	if n < 1 {
		return nil, fmt.Errorf("dist: %w: a group of %d ranks, want at least 1", field.ErrSpec, n)
	}
	l := &local{size: n, rounds: map[int]*round{}, left: make([]int, n)}
	ends := make([]Group, n)
	for i := range ends {
		ends[i], l.left[i] = &localEnd{l, i}, stays
	}
	l.next = make([]int, n)
	return ends, nil
}

// local is what the ends share. Calls are rounds, which every rank counts by itself: in round i all ranks meet in their
// call i, so that a round that has failed is one for whoever comes late too.
type local struct {
	size   int
	mu     sync.Mutex
	rounds map[int]*round // to which not all ranks have come
	next   []int          // round of each rank
	left   []int          // the first round to which a rank does not come
}

const stays = int(^uint(0) >> 1)

// round is a call of all ranks.
type round struct {
	here   int
	worst  *RankError
	keys   map[int]uint64 // of the ranks that have no error
	over   chan struct{}  // closed when all are here, or it failed
	err    error          // then
	send   []bulks.View
	copied sync.WaitGroup
	loan   *loan
}

// localEnd is a Group, and a lender.
type localEnd struct {
	l    *local
	rank int
}

func (e *localEnd) Rank() int { return e.rank }
func (e *localEnd) Size() int { return e.l.size }

func (e *localEnd) Agree(ctx context.Context, key uint64, err error) error {
	return e.agree(ctx, key, err, func(*round) {}).err
}

func (e *localEnd) lend(ctx context.Context, key uint64, err error, own depthfirst.Lent) (*loan, error) {
	r := e.agree(ctx, key, err, func(r *round) {
		if r.loan == nil {
			r.loan = &loan{of: make([]depthfirst.Lent, e.l.size)}
		}
		r.loan.of[e.rank] = own
	})
	return r.loan, r.err
}

// agree is Agree, to which a rank may add something else.
func (e *localEnd) agree(ctx context.Context, key uint64, err error, add func(r *round)) *round {
	r := e.l.come(e.rank, func(r *round) {
		add(r)
		switch {
		case err != nil:
			if r.worst == nil || Severity(err) > Severity(r.worst) ||
				Severity(err) == Severity(r.worst) && e.rank < r.worst.Rank {
				r.worst = &RankError{e.rank, unranked(err)}
			}
			if ctx.Err() != nil {
				r.end(r.worst) // nobody is to wait for what has ended
			}
		case r.keys == nil:
			r.keys = map[int]uint64{e.rank: key}
		default:
			r.keys[e.rank] = key
		}
	})
	e.l.wait(ctx, r, e.rank)
	return r
}

func (e *localEnd) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	r := e.l.come(e.rank, func(r *round) {
		if r.send == nil {
			r.send = make([]bulks.View, e.l.size)
			r.copied.Add(e.l.size)
		}
		r.send[e.rank] = send
		if send.N != recv.N || send.N%e.l.size != 0 {
			r.end(&RankError{e.rank, &field.LengthError{What: "recv", Want: send.N, Got: recv.N}})
		}
	})
	if e.l.wait(ctx, r, e.rank); r.err != nil {
		return r.err
	}
	func() {
		defer r.copied.Done()
		n := recv.N / e.l.size
		for i := range e.l.size {
			from := (e.rank + i) % e.l.size // not all from the same one at once
			b.Copy(recv.Slice(from*n, (from+1)*n), r.send[from].Slice(e.rank*n, (e.rank+1)*n),
				bulks.Copy{Rows: 1, Width: n})
		}
	}()
	r.copied.Wait() // nobody reads send any more: copies do not wait, so that this ends
	return nil
}

// come enters the next round of a rank, and lets it add its part.
func (l *local) come(rank int, add func(r *round)) *round {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.next[rank]
	l.next[rank]++
	r := l.round(i)
	if r.here++; r.here == l.size {
		delete(l.rounds, i)
	}
	if r.ended() {
		return r
	}
	add(r)
	for gone, from := range l.left {
		if from <= i {
			r.end(&RankError{gone, ErrRank})
			return r
		}
	}
	if r.here == l.size {
		r.end(r.result())
	}
	return r
}

func (l *local) round(i int) *round {
	r := l.rounds[i]
	if r == nil {
		r = &round{over: make(chan struct{})}
		l.rounds[i] = r
	}
	return r
}

func (r *round) ended() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// end ends a round that has not ended.
func (r *round) end(err error) {
	if !r.ended() {
		r.err = err
		close(r.over)
	}
}

// result is what all ranks get that have come.
func (r *round) result() error {
	if r.worst != nil {
		return r.worst
	}
	first := true
	var key uint64
	for rank := range r.here {
		k, ok := r.keys[rank]
		switch {
		case ok && first:
			key, first = k, false
		case ok && k != key, !ok && r.keys != nil, r.send != nil && r.send[rank].N != r.send[0].N:
			return &RankError{rank, ErrDisagree}
		}
	}
	return nil
}

// wait waits for the end of a round, which the end of ctx brings too.
func (l *local) wait(ctx context.Context, r *round, rank int) {
	select {
	case <-r.over:
		return
	default:
	}
	select {
	case <-r.over:
	case <-ctx.Done():
		l.mu.Lock()
		r.end(&RankError{rank, fmt.Errorf("waiting for the other ranks: %w", ctx.Err())})
		l.mu.Unlock()
	}
}

func (e *localEnd) Close() error {
	e.l.mu.Lock()
	defer e.l.mu.Unlock()
	if e.l.left[e.rank] != stays {
		return nil
	}
	e.l.left[e.rank] = e.l.next[e.rank]
	for i, r := range e.l.rounds {
		if i >= e.l.left[e.rank] {
			r.end(&RankError{e.rank, ErrRank})
		}
	}
	return nil
}

// unranked is err without its rank.
func unranked(err error) error {
	if r, ok := err.(*RankError); ok {
		return r.Err
	}
	return err
}
