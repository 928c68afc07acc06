package nccl

import (
	"context"
	"fmt"
	"math"
	"net"
	"sync"
	"time"

	"github.com/galfft/fft/dist"
)

// hub is what rank 0 has of the others.
type hub struct {
	s       *star
	conns   []net.Conn // by rank; nil for rank 0
	readers sync.WaitGroup

	mu   sync.Mutex
	next map[int64]*tally // rounds that have not been told and forgotten
	left []int64          // the first round to which a rank does not come
}

// tally is a round.
type tally struct {
	here           int
	over           bool
	rank, severity int
	key            uint64
	keyed, differ  bool
	odd            int // a rank whose key differs
}

// listen waits for all ranks.
func (h *hub) listen(ctx context.Context, address string) error {
	config := net.ListenConfig{KeepAliveConfig: heartbeat}
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("nccl: rank 0 cannot wait for the others: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	defer func() { _ = l.Close() }()
	for here := 1; here < h.s.size; {
		conn, err := l.Accept()
		if err != nil {
			_ = h.close()
			return fmt.Errorf("nccl: %d of %d ranks have come: %w: %w", here, h.s.size, dist.ErrRank, err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(helloLimit))
		f, err := read(conn)
		r := int(f.Word[0])
		if err != nil || f.Kind != hello || r < 1 || r >= h.s.size || f.Word[1] != uint64(h.s.size) ||
			h.conns[r] != nil { // no rank of this job
			_ = conn.Close()
			continue
		}
		_ = conn.SetReadDeadline(time.Time{})
		h.conns[r] = conn
		here++
	}
	for r, conn := range h.conns {
		if conn != nil {
			h.readers.Go(func() { h.read(r, conn) })
		}
	}
	return nil
}

// read takes what a rank says.
func (h *hub) read(rank int, conn net.Conn) {
	for {
		f, err := read(conn)
		if err != nil {
			break
		}
		h.hear(rank, f)
		if f.Kind == left {
			return
		}
	}
	h.s.bell.raise(math.MaxInt64) // it is lost
	h.all(frame{Kind: alert, Round: math.MaxInt64})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone(rank, 0)
}

// all sends a message to all other ranks.
func (h *hub) all(f frame) {
	for _, conn := range h.conns {
		if conn != nil {
			_ = write(conn, f)
		}
	}
}

// hear takes a message of a rank.
func (h *hub) hear(rank int, f frame) {
	round := int64(f.Round)
	if f.Kind == alert {
		h.s.bell.raise(round)
		h.all(f)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.Kind == left {
		h.gone(rank, round)
		return
	}
	t := h.next[round]
	if t == nil {
		t = &tally{}
		h.next[round] = t
	}
	severity := int(f.Word[0])
	switch {
	case severity > t.severity, severity > 0 && severity == t.severity && rank < t.rank:
		t.rank, t.severity = rank, severity
	case severity > 0:
	case !t.keyed:
		t.key, t.keyed = f.Word[1], true
	case t.key != f.Word[1]:
		t.differ, t.odd = true, rank
	}
	if f.Kind == come {
		t.here++
	}
	if f.Kind == ended {
		h.end(round, t)
	}
	for r, from := range h.left {
		if from <= round {
			h.lack(round, t, r)
		}
	}
	if t.here == h.s.size {
		h.end(round, t)
		delete(h.next, round)
	}
}

// gone ends the rounds to which a rank does not come.
func (h *hub) gone(rank int, from int64) {
	h.left[rank] = min(h.left[rank], from)
	for round, t := range h.next {
		if round >= from {
			h.lack(round, t, rank)
		}
	}
}

// lack ends a round without a rank.
func (h *hub) lack(round int64, t *tally, rank int) {
	if !t.over {
		t.rank, t.severity = rank, dist.Severity(dist.ErrRank)
		h.end(round, t)
	}
}

// end tells all ranks the result of a round, once.
func (h *hub) end(round int64, t *tally) {
	if t.over {
		return
	}
	t.over = true
	if t.severity == 0 && t.differ {
		t.rank, t.severity = t.odd, dist.Severity(dist.ErrDisagree)
	}
	f := frame{Kind: result, Round: uint64(round), Word: [16]uint64{uint64(t.rank), uint64(t.severity)}}
	h.s.results <- f
	h.all(f)
}

// close ends the connections when the others have read what was said.
func (h *hub) close() error {
	for _, conn := range h.conns {
		if c, ok := conn.(*net.TCPConn); ok {
			_ = c.CloseWrite()
			_ = c.SetReadDeadline(time.Now().Add(helloLimit))
		}
	}
	h.readers.Wait()
	for _, conn := range h.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	return nil
}
