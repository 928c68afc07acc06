package reedsolomon

import (
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/galfft/fft/rs"
)

// Errors of this package, under the names that programs know. They arrive unwrapped.
var (
	ErrInvShardNum         = errors.New("reedsolomon: want data, and parity that is not negative")
	ErrMaxShardNum         = errors.New("reedsolomon: too many shards for the code")
	ErrTooFewShards        = errors.New("reedsolomon: too few shards")
	ErrShardNoData         = errors.New("reedsolomon: no shard has data")
	ErrShardSize           = errors.New("reedsolomon: shards have different lengths")
	ErrInvalidShardSize    = errors.New("reedsolomon: length of a shard is no multiple of ShardSizeMultiple")
	ErrInvalidInput        = errors.New("reedsolomon: bad argument")
	ErrShortData           = errors.New("reedsolomon: too few bytes")
	ErrReconstructRequired = errors.New("reedsolomon: a shard of data is missing, reconstruct first")
)

// Encoder makes parity, and shards that are missing, which are nil or empty. What New returns is safe for concurrent
// use on shards that do not overlap. Shards are the data, then the parity, all of one length.
type Encoder interface {
	// Encode sets the parity.
	Encode(shards [][]byte) error
	// EncodeIdx adds what one shard of data gives to parity, which is zeros before the first.
	EncodeIdx(dataShard []byte, idx int, parity [][]byte) error
	// Verify reports whether the parity is that of the data.
	Verify(shards [][]byte) (bool, error)
	// Reconstruct makes all missing shards, in place where there is capacity.
	Reconstruct(shards [][]byte) error
	// ReconstructData makes those of data.
	ReconstructData(shards [][]byte) error
	// ReconstructSome makes those of required, which has an element for each shard, or each of data.
	ReconstructSome(shards [][]byte, required []bool) error
	// Update changes the parity for data that is in newDatashards and not nil. shards has the old data, which stays.
	Update(shards [][]byte, newDatashards [][]byte) error
	// Split cuts data into shards, of which the last may have zeros at the end, and makes shards for parity. All but
	// that shard and what is behind are parts of data; capacity of data is not used.
	Split(data []byte) ([][]byte, error)
	// Join writes the first outSize bytes of the data.
	Join(dst io.Writer, shards [][]byte, outSize int) error
}

// Extensions is what the encoders of New have beside that.
type Extensions interface {
	// ShardSizeMultiple is what the length of a shard is a multiple of: 1 to 16, where the other library has 1 or 64.
	ShardSizeMultiple() int
	DataShards() int
	ParityShards() int
	TotalShards() int
	// AllocAligned makes shards of so many bytes.
	AllocAligned(each int) [][]byte
}

// Option is a parameter of New.
type Option func(*options)

type options struct {
	code    rs.Code
	workers int
}

// WithCauchyMatrix takes rs.Cauchy.
func WithCauchyMatrix() Option { return func(o *options) { o.code = rs.Cauchy } }

// WithLeopardGF takes rs.Leopard8 up to 256 shards, and rs.Leopard16 above.
func WithLeopardGF(enabled bool) Option { return leopard(enabled, rs.Leopard8) }

// WithLeopardGF16 takes rs.Leopard16.
func WithLeopardGF16(enabled bool) Option { return leopard(enabled, rs.Leopard16) }

func leopard(enabled bool, c rs.Code) Option {
	return func(o *options) {
		if o.code = rs.Auto; enabled {
			o.code = c
		}
	}
}

// WithMaxGoroutines lets calls run on n goroutines; below 1 changes nothing. The default is runtime.GOMAXPROCS(0).
func WithMaxGoroutines(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.workers = n
		}
	}
}

// WithAutoGoroutines changes nothing: a call takes as many goroutines as pay.
func WithAutoGoroutines(int) Option { return func(*options) {} }

// WithInversionCache changes nothing: no matrix is inverted.
func WithInversionCache(bool) Option { return func(*options) {} }

// New returns an encoder: rs.Vandermonde up to 256 shards, and rs.Leopard16 above. It has the methods of Extensions.
func New(dataShards, parityShards int, opts ...Option) (Encoder, error) {
	o := options{workers: runtime.GOMAXPROCS(0)}
	for _, opt := range opts {
		if opt == nil {
			return nil, ErrInvalidInput
		}
		opt(&o)
	}
	if dataShards < 1 || parityShards < 0 {
		return nil, ErrInvShardNum
	}
	switch total := dataShards + parityShards; {
	case total > 256 || total < 0:
		o.code = rs.Leopard16
	case parityShards == 0 || o.code == rs.Auto:
		o.code = rs.Vandermonde
	}
	p, err := rs.New(dataShards, parityShards, rs.WithCode(o.code), rs.WithWorkers(o.workers))
	if err != nil {
		return nil, ErrMaxShardNum
	}
	return encoder{p}, nil
}

type encoder struct{ plan *rs.Plan }

// known is the error of this package that stands for one of package rs.
func known(err error) error {
	var size *rs.SizeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &size) && size.Got > 0 && size.Want == 0:
		return ErrInvalidShardSize
	case errors.As(err, &size):
		return ErrShardSize
	case errors.Is(err, rs.ErrTooFew), errors.Is(err, rs.ErrShards):
		return ErrTooFewShards
	}
	return err
}

// data is an error where no shard has bytes.
func (e encoder) data(shards [][]byte) error {
	if len(shards) != e.TotalShards() {
		return ErrTooFewShards
	}
	for _, s := range shards {
		if len(s) > 0 {
			return nil
		}
	}
	return ErrShardNoData
}

func (e encoder) Encode(shards [][]byte) error {
	if err := e.data(shards); err != nil {
		return err
	}
	return known(e.plan.Encode(context.Background(), shards))
}

func (e encoder) EncodeIdx(dataShard []byte, idx int, parity [][]byte) error {
	n := e.plan.Data()
	if len(parity) != e.plan.Parity() {
		return ErrTooFewShards
	}
	if idx < 0 || idx >= n {
		return ErrInvShardNum
	}
	if len(dataShard) == 0 {
		return ErrShardNoData
	}
	shards, fresh := append(make([][]byte, n), parity...), make([][]byte, n)
	fresh[idx] = dataShard
	return known(e.plan.Update(context.Background(), shards, fresh))
}

func (e encoder) Verify(shards [][]byte) (bool, error) {
	if err := e.data(shards); err != nil {
		return false, err
	}
	ok, err := e.plan.Verify(context.Background(), shards)
	return ok, known(err)
}

func (e encoder) Reconstruct(shards [][]byte) error {
	if err := e.data(shards); err != nil {
		return err
	}
	return known(e.plan.Reconstruct(context.Background(), shards))
}

func (e encoder) ReconstructData(shards [][]byte) error {
	required := make([]bool, e.plan.Data())
	for i := range required {
		required[i] = true
	}
	return e.ReconstructSome(shards, required)
}

func (e encoder) ReconstructSome(shards [][]byte, required []bool) error {
	if err := e.data(shards); err != nil {
		return err
	}
	return known(e.plan.ReconstructSome(context.Background(), shards, required))
}

func (e encoder) Update(shards [][]byte, newDatashards [][]byte) error {
	n := e.plan.Data()
	if len(shards) != e.TotalShards() || len(newDatashards) != n {
		return ErrTooFewShards
	}
	for i, s := range newDatashards {
		if len(s) > 0 && len(shards[i]) == 0 {
			return ErrInvalidInput
		}
	}
	for _, s := range shards[n:] {
		if len(s) == 0 {
			return ErrInvalidInput
		}
	}
	return known(e.plan.Update(context.Background(), shards, newDatashards))
}

func (e encoder) Split(data []byte) ([][]byte, error) {
	if len(data) == 0 {
		return nil, ErrShortData
	}
	unit := e.ShardSizeMultiple()
	each := (len(data) + e.plan.Data() - 1) / e.plan.Data()
	each = (each + unit - 1) / unit * unit
	shards := make([][]byte, 0, e.TotalShards())
	for len(data) >= each && len(shards) < e.plan.Data() {
		shards, data = append(shards, data[:each:each]), data[each:]
	}
	rest := make([]byte, (e.TotalShards()-len(shards))*each)
	copy(rest, data)
	for len(rest) > 0 {
		shards, rest = append(shards, rest[:each:each]), rest[each:]
	}
	return shards, nil
}

func (e encoder) Join(dst io.Writer, shards [][]byte, outSize int) error {
	if len(shards) < e.plan.Data() {
		return ErrTooFewShards
	}
	if dst == nil || outSize < 0 {
		return ErrInvalidInput
	}
	size := 0
	for _, s := range shards[:e.plan.Data()] {
		if s == nil {
			return ErrReconstructRequired
		}
		if size += len(s); size >= outSize {
			break
		}
	}
	if size < outSize {
		return ErrShortData
	}
	for _, s := range shards {
		s = s[:min(len(s), outSize)]
		if _, err := dst.Write(s); err != nil {
			return err
		}
		if outSize -= len(s); outSize == 0 {
			return nil
		}
	}
	return nil
}

func (e encoder) ShardSizeMultiple() int { return e.plan.Code().Unit() }
func (e encoder) DataShards() int        { return e.plan.Data() }
func (e encoder) ParityShards() int      { return e.plan.Parity() }
func (e encoder) TotalShards() int       { return e.plan.Data() + e.plan.Parity() }

func (e encoder) AllocAligned(each int) [][]byte {
	shards := make([][]byte, e.TotalShards())
	for i := range shards {
		shards[i] = make([]byte, max(each, 0))
	}
	return shards
}
