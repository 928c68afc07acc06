package nccl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"sync"
	"time"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
)

// Start makes this process, with a device, a rank of the job that torchrun or srun has started, of which all processes
// call it. Ranks meet by TCP at MASTER_ADDR and MASTER_PORT, or the next port where torchrun's agent has that one; by
// Slurm's names without these. The connections stay, for agreements. They are neither encrypted nor proven to be of
// this job's processes: the network is to be trusted.
//
// A rank that is killed, panics or closes its end is dist.ErrRank for the others. Errors are ErrUnavailable, where no
// launcher has started this process or there is no NCCL; dist.ErrRank where ranks do not come before ctx ends, or
// within a minute; and those of Over.
func Start(ctx context.Context, d *gpu.Device) (dist.Group, error) {
	if ctx == nil || d == nil {
		return nil, fmt.Errorf("nccl: %w: want a context and a device", field.ErrSpec)
	}
	p, err := launched()
	if err != nil {
		return nil, err
	}
	s, err := meet(ctx, p)
	if err != nil {
		return nil, err
	}
	g, err := Over(ctx, s, d)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return g, nil
}

const (
	meetLimit  = time.Minute
	helloLimit = 5 * time.Second
	replyLimit = 5 * time.Second // of rank 0, which answers at once
)

// heartbeat has the system ask on a silent connection whether the other end is there, and end it after five seconds
// without an answer: a machine that is gone says nothing.
var heartbeat = net.KeepAliveConfig{Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 3}

// frame is a message: its kind, a round, and what goes with that.
type frame struct {
	Kind, Round uint64
	Word        [16]uint64
}

const (
	hello  uint64 = iota + 0x67616c6666740000 // rank, size
	come                                      // severity, key: to an agreement
	ended                                     // severity: the context has ended, nobody is to wait
	result                                    // rank, severity
	alert                                     // a round comes to nothing
	left                                      // from a round on
	theID                                     // the id
)

// star is a group of processes that agree by way of rank 0. It is an alarm.
type star struct {
	rank, size int
	bell
	hub *hub     // of rank 0
	up  net.Conn // of others, to rank 0

	mu      sync.Mutex
	round   int64
	closed  bool
	results chan frame
	ids     chan frame
	lost    chan struct{} // closed when rank 0 is gone
}

// meet connects the ranks.
func meet(ctx context.Context, p place) (*star, error) {
	s := &star{rank: p.rank, size: p.size, results: make(chan frame, 1024), ids: make(chan frame, 1),
		lost: make(chan struct{})}
	ctx, cancel := context.WithTimeout(ctx, meetLimit)
	defer cancel()
	if p.rank == 0 {
		s.hub = &hub{s: s, conns: make([]net.Conn, p.size), next: map[int64]*tally{}, left: make([]int64, p.size)}
		for r := range s.hub.left {
			s.hub.left[r] = math.MaxInt64
		}
		if p.size == 1 {
			return s, nil
		}
		return s, s.hub.listen(ctx, p.address)
	}
	for {
		dialer := net.Dialer{KeepAliveConfig: heartbeat}
		conn, err := dialer.DialContext(ctx, "tcp", p.address)
		if err == nil {
			err = write(conn, frame{Kind: hello, Word: [16]uint64{uint64(p.rank), uint64(p.size)}})
			if err == nil {
				s.up = conn
				go s.read()
				return s, nil
			}
			_ = conn.Close()
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("nccl: %w: %w", &dist.RankError{Rank: 0, Err: dist.ErrRank}, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func write(to net.Conn, f frame) error {
	b, _ := binary.Append(nil, binary.LittleEndian, f)
	_ = to.SetWriteDeadline(time.Now().Add(replyLimit))
	_, err := to.Write(b)
	return err
}

func read(from io.Reader) (f frame, err error) {
	return f, binary.Read(from, binary.LittleEndian, &f)
}

// read takes what rank 0 says.
func (s *star) read() {
	for {
		f, err := read(s.up)
		if err != nil {
			s.bell.raise(math.MaxInt64)
			close(s.lost)
			return
		}
		switch f.Kind {
		case result:
			s.results <- f
		case alert:
			s.bell.raise(int64(f.Round))
		case theID:
			s.ids <- f
		}
	}
}

// tell gives a message to rank 0.
func (s *star) tell(f frame) {
	if s.hub != nil {
		s.hub.hear(0, f)
		return
	}
	_ = write(s.up, f) // a rank 0 that is gone is found where it is read from
}

func (s *star) Rank() int { return s.rank }
func (s *star) Size() int { return s.size }

func (s *star) raise(round int64) {
	s.bell.raise(round)
	s.tell(frame{Kind: alert, Round: uint64(round)})
}

// Agree is that of dist.Group. Of an error of another rank it knows the kind alone.
func (s *star) Agree(ctx context.Context, key uint64, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &dist.RankError{Rank: s.rank, Err: dist.ErrRank}
	}
	s.round++
	f := frame{Kind: come, Round: uint64(s.round), Word: [16]uint64{uint64(dist.Severity(err)), key}}
	if err != nil && ctx.Err() != nil {
		f.Kind = ended
	}
	s.tell(f)
	done, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case f := <-s.results:
			if int64(f.Round) != s.round {
				continue // one that has ended before this rank came
			}
			return s.outcome(f, err)
		case <-done:
			done, late = nil, time.After(replyLimit)
			if err == nil {
				err = fmt.Errorf("waiting for the other ranks: %w", ctx.Err())
			}
			s.tell(frame{Kind: ended, Round: f.Round, Word: [16]uint64{uint64(dist.Severity(err))}})
		case <-s.lost:
			select { // what came before
			case f := <-s.results:
				if int64(f.Round) == s.round {
					return s.outcome(f, err)
				}
				continue
			default:
			}
			return &dist.RankError{Rank: 0, Err: dist.ErrRank}
		case <-late:
			return &dist.RankError{Rank: 0, Err: dist.ErrRank}
		}
	}
}

// outcome is the error of a result.
func (s *star) outcome(f frame, own error) error {
	rank, severity := int(f.Word[0]), int(f.Word[1])
	if severity > 0 && rank == s.rank && severity == dist.Severity(own) {
		var of *dist.RankError
		if errors.As(own, &of) {
			return own
		}
		return &dist.RankError{Rank: rank, Err: own}
	}
	return dist.OfSeverity(rank, severity)
}

// Exchange is none: vectors on the host want another group.
func (s *star) Exchange(context.Context, bulks.Bulk, bulks.View, bulks.View) error {
	return &dist.RankError{Rank: s.rank, Err: fmt.Errorf("nccl: %w: vectors on the host, want those of package gpu, or "+
		"ranks of package dist/mpi", field.ErrSpec)}
}

// spread gives the id of rank 0 to all.
func (s *star) spread(ctx context.Context, id uniqueID) (uniqueID, error) {
	if s.hub != nil {
		s.hub.all(frame{Kind: theID, Word: id.Word})
		return id, nil
	}
	select {
	case f := <-s.ids:
		id.Word = f.Word
		return id, nil
	case <-ctx.Done():
		return id, nil // the communicator will not come about, nor wait
	case <-s.lost:
		return id, &dist.RankError{Rank: 0, Err: dist.ErrRank}
	}
}

// Close leaves the group.
func (s *star) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.tell(frame{Kind: left, Round: uint64(s.round + 1)})
	if s.hub != nil {
		return s.hub.close()
	}
	return s.up.Close()
}
