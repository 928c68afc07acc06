package shards

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"slices"
)

// State is what can be said of a set.
type State int

const (
	Intact     State = iota // every block of every file is good
	Repairable              // something is missing or damaged, and can be made again
	Beyond                  // what is left is not enough, or not what was encoded
	states
)

var stateNames = [states]string{"intact", "repairable", "beyond repair"}

// String returns intact, repairable or beyond repair.
func (s State) String() string {
	if s < 0 || s >= states {
		return "unknown"
	}
	return stateNames[s]
}

// Report is what a check found.
type Report struct {
	State    State
	Findings []*Finding // also about files that are not of the set, which do not count
	Bad      int64      // blocks that are missing or damaged
	Beyond   error      // of State Beyond, a *BeyondError
}

// Copy writes the data to w: of a directory its archive. It reads blocks of parity only where data is lost. Where it
// returns an error some of the data, and nothing else, may have been written: data beyond repair is rs.ErrBeyond, and
// an error of w is ErrWrite.
func (s *Set) Copy(ctx context.Context, w io.Writer) error {
	if err := s.made(ctx); err != nil {
		return err
	}
	if w == nil {
		return errSpec("the destination is nil")
	}
	r := s.reader(false, s.h.data)
	defer s.close()
	to := bufio.NewWriterSize(w, mostBlock)
	err := r.run(ctx, func(st *stripe, good bool) error {
		if !good {
			return errLost
		}
		if _, err := r.data(st, to); err != nil {
			return failed(ErrWrite, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !r.whole() {
		return r.beyond()
	}
	if err := to.Flush(); err != nil {
		return failed(ErrWrite, err)
	}
	return nil
}

// Check reads every block, and what was encoded from them, and writes nothing. Its error is one of the call, as that of
// an ended context: what is wrong with the files is in the report.
func (s *Set) Check(ctx context.Context) (*Report, error) {
	if err := s.made(ctx); err != nil {
		return nil, err
	}
	r := s.reader(true, s.h.data)
	defer s.close()
	err := r.run(ctx, func(st *stripe, good bool) error {
		if good {
			_, err := r.data(st, io.Discard)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.report(), nil
}

// reader is a call that reads stripes.
type reader struct {
	*Set
	all     bool    // shards are read, and not only as many as it takes
	bad     []int64 // blocks of each file
	reasons []error // of the system, why it cannot be read
	lost    int64   // stripes beyond repair
	least   int     // good blocks of any stripe
	reached int64   // stripes of which there is something
	hash    hash.Hash
	wanted  []bool // shards, if they are lost
}

// reader begins a call that rebuilds the first shards that are lost.
func (s *Set) reader(all bool, rebuilt int) *reader {
	r := &reader{Set: s, all: all, bad: make([]int64, s.h.files()), reasons: make([]error, s.h.files()),
		least: s.h.shards(), hash: sha256.New(), wanted: make([]bool, rebuilt)}
	for i := range r.wanted {
		r.wanted[i] = true
	}
	return r
}

// errLost ends a call at a stripe beyond repair.
var errLost = errors.New("a stripe is beyond repair")

// run rebuilds one stripe after the other, for use, with whether it could.
func (r *reader) run(ctx context.Context, use func(st *stripe, good bool) error) error {
	for len(r.stripes) < stripesAtOnce {
		r.stripes = append(r.stripes, newStripe(&r.h))
	}
	r.reached = r.reach()
	err := ahead(ctx, r.stripes, r.fill, func(st *stripe) error {
		have := 0
		for _, b := range st.shards {
			if len(b) > 0 {
				have++
			}
		}
		r.least = min(r.least, have)
		if have < r.h.data {
			r.lost++
		} else if err := r.plan.ReconstructSome(ctx, st.shards, r.wanted); err != nil {
			return err
		}
		if err := use(st, have >= r.h.data); err != nil {
			return err
		}
		r.progress(min(r.h.length, int64(r.h.data)*int64(r.h.block)*(st.number+1)), r.h.length)
		return nil
	})
	if err == errLost {
		return r.beyond()
	}
	if n, _ := r.h.stripes(); err == nil && n > r.reached {
		r.skip(n - r.reached)
	}
	return err
}

// reach is how many stripes there are of which a file may have a good block: a header may tell of any number.
func (r *reader) reach() (n int64) {
	all, _ := r.h.stripes()
	for i, list := range r.sources {
		_, count := r.h.span(i)
		for _, f := range list {
			whole := min(all, max(0, f.size-headerSize)/(int64(count)*int64(r.h.block+sumSize)))
			if whole < all && f.size >= r.h.offset(count, whole)+int64(count)*int64(r.h.size(whole))+sumSize {
				whole++
			}
			n = max(n, whole)
		}
	}
	return n
}

// skip counts the blocks of so many stripes of which no file has anything.
func (r *reader) skip(stripes int64) {
	for i := range r.bad {
		_, count := r.h.span(i)
		r.bad[i] += stripes * int64(count)
	}
	r.lost += stripes
	r.least = 0
}

// fill reads a stripe, and loses its bad blocks.
func (r *reader) fill(st *stripe) (more bool, err error) {
	if st.number == r.reached {
		return false, nil
	}
	st.shape(st.number, r.h.size(st.number))
	st.wrong = st.wrong[:0]
	good := 0
	for i := range r.sources {
		first, count := r.h.span(i)
		if !r.all && first >= r.h.data && good >= r.h.data {
			for shard := range count {
				st.lose(first + shard)
			}
			continue
		}
		good += r.read(st, i)
	}
	return true, nil
}

// read reads the blocks of a file, and returns how many are good.
func (r *reader) read(st *stripe, i int) (good int) {
	first, count := r.h.span(i)
	piece := st.piece(i)
	for shard := first; shard < first+count; shard++ {
		st.lose(shard)
	}
	for j, f := range r.sources[i] {
		into := piece
		if j > 0 { // it is there twice
			into = make([]byte, len(piece))
		}
		n, err := r.readAt(f, into, r.h.offset(count, st.number))
		if err != nil && err != io.EOF && j == 0 {
			r.reasons[i] = err
		}
		clear(into[n:])
		for k := range count {
			if len(st.shards[first+k]) > 0 {
				continue
			}
			if j > 0 {
				copy(st.block(first+k), into[k*st.size:])
				copy(st.sumAt(first+k), into[count*st.size+k*sumSize:])
			}
			switch {
			case st.good(first + k):
				st.shards[first+k] = st.block(first + k)
				good++
			case j == 0:
				st.wrong = append(st.wrong, first+k)
				r.bad[i]++
			}
		}
		if good == count {
			return good
		}
	}
	if len(r.sources[i]) == 0 {
		for k := range count {
			st.wrong = append(st.wrong, first+k)
		}
		r.bad[i] += int64(count)
	}
	return good
}

// readAt reads a part of a file, which stays open where not too many are.
func (s *Set) readAt(f *source, b []byte, at int64) (int, error) {
	if f.open != nil {
		return f.open.ReadAt(b, at)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return 0, err
	}
	if s.kept < s.files {
		s.kept++
		f.open = file
	} else {
		defer file.Close()
	}
	return file.ReadAt(b, at)
}

// close closes the files that are open.
func (s *Set) close() {
	for _, f := range slices.Concat(s.sources...) {
		if f.open != nil {
			_ = f.open.Close()
			f.open = nil
		}
	}
	s.kept = 0
}

// data writes the data of a stripe.
func (r *reader) data(st *stripe, w io.Writer) (n int64, err error) {
	rest := r.h.length - int64(r.h.data)*int64(r.h.block)*st.number
	err = st.data(rest, func(b []byte) error {
		r.hash.Write(b)
		_, err := w.Write(b)
		if err == nil {
			n += int64(len(b))
		}
		return err
	})
	return n, err
}

// whole reports whether all data that was read is what was encoded.
func (r *reader) whole() bool { return string(r.hash.Sum(nil)) == string(r.h.digest[:]) }

func (r *reader) beyond() error {
	e := &BeyondError{Have: r.least, Want: r.h.data, Stripes: r.lost}
	if r.lost == 0 {
		e.Have = e.Want
	}
	_, e.Findings = r.findings()
	return e
}

// findings are about all files, and say how many blocks are bad.
func (r *reader) findings() (bad int64, list []*Finding) {
	for i, sources := range r.sources {
		first, count := r.h.span(i)
		bad += r.bad[i]
		f := &Finding{First: first, Count: count}
		if len(sources) == 0 {
			f.File, f.Err = r.h.name(i), ErrMissing
			list = append(list, f)
			continue
		}
		best := sources[0]
		f.File, f.Blocks = best.path, r.bad[i]
		for _, ok := range best.headers {
			if !ok {
				f.Blocks++
			}
		}
		switch size := r.h.bytes(count); {
		case r.reasons[i] != nil:
			f.Err = r.reasons[i]
		case best.size < size:
			f.Err = ErrTruncated
		case f.Blocks > 0 || best.size > size:
			f.Err = ErrDamaged
		default:
			continue
		}
		list = append(list, f)
	}
	return bad, list
}

// report is that of a call that has read all.
func (r *reader) report() *Report {
	t := new(Report)
	t.Bad, t.Findings = r.findings()
	switch {
	case r.lost > 0 || !r.whole():
		t.State, t.Beyond = Beyond, r.beyond()
	case len(t.Findings) > 0:
		t.State = Repairable
	}
	t.Findings = append(t.Findings, r.others...)
	return t
}
