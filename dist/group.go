package dist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Group is a rank's end of a group. All ranks make the same calls in the same order, one at a time.
//
// An error of Exchange or of Agree is one for all ranks: a [RankError] with the rank that it is of.
type Group interface {
	Rank() int // 0 … Size−1
	Size() int
	// Exchange sets part f of recv, for every rank f, to part Rank() of what rank f sends. Vectors are of b, of one
	// length on all ranks, and have Size parts of equal length; send and recv do not overlap. Where b works in place,
	// either may be a slice of canonical elements, so that moves are copies of b, or of bytes where both are of one
	// type. Where ctx ends before the others have come, they get its error too.
	Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error
	// Agree waits for all ranks, and returns the worst of their errors, by Severity, of the first rank that has it. It
	// is ErrDisagree where none has an error and their keys differ. Where ctx ends before, its error is that of all.
	Agree(ctx context.Context, key uint64, err error) error
	// Close leaves the group. Calls of others that wait for this rank, or come to, are ErrRank.
	Close() error
}

// Errors of groups, which errors.Is finds.
var (
	ErrDisagree = errors.New("ranks disagree")      // on the field, the length, options, or the call
	ErrRank     = errors.New("a rank is not there") // it has left the group, or a call by a panic
)

// RankError is the error of a rank, as all ranks of the group return it. Methods of a nil one panic.
type RankError struct {
	Rank int
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("dist: rank %d: %v", e.Rank, e.Err) }

// Unwrap is the error without its rank.
func (e *RankError) Unwrap() error { return e.Err }

// severities lists what errors wrap, from the least severe on.
var severities = []error{
	context.Canceled, context.DeadlineExceeded,
	field.ErrLength, field.ErrOverlap, field.ErrRange, field.ErrVec, field.ErrSpec, field.ErrScheme, field.ErrModulus,
	field.ErrNoRoot, field.ErrNotInvertible, field.ErrTuning, field.ErrMemory,
	errOther, ErrDisagree, ErrRank,
}

var errOther = errors.New("an error without a name")

// Severity is 0 for nil, and else a positive number for the kind of an error, with which groups compare those of ranks.
func Severity(err error) int {
	if err == nil {
		return 0
	}
	for i, s := range slices.Backward(severities) {
		if errors.Is(err, s) {
			return i + 1
		}
	}
	return 1 + slices.Index(severities, errOther)
}

// OfSeverity is the error of a rank where another one knows its severity alone; nil for 0.
func OfSeverity(rank, severity int) error {
	if severity < 1 || severity > len(severities) {
		return nil
	}
	return &RankError{rank, severities[severity-1]}
}

// Run calls f for all ends of a group of this process, in a goroutine each, and closes an end when its f has returned.
// It returns the worst of their errors when all are over. Where f panics, the program does.
func Run(ends []Group, f func(g Group) error) error {
	if f == nil {
		return fmt.Errorf("dist: %w: nothing to run", field.ErrSpec)
	}
	errs := make([]error, len(ends))
	var running sync.WaitGroup
	for i, g := range ends {
		if nothing(g) {
			return errGroup
		}
		running.Add(1)
		go func() {
			defer running.Done()
			defer func() { errs[i] = worse(errs[i], g.Close()) }()
			errs[i] = f(g)
		}()
	}
	running.Wait()
	var worst error
	for _, err := range errs {
		worst = worse(worst, err)
	}
	return worst
}

func worse(a, b error) error {
	if Severity(b) > Severity(a) {
		return b
	}
	return a
}

func nothing(g Group) bool { return field.CheckValue("group", g) != nil }

var errGroup = fmt.Errorf("dist: %w: no group", field.ErrSpec)
