package nccl

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// Errors of the library, which errors.Is finds.
var (
	ErrUnavailable = errors.New("no NCCL")
	ErrCall        = errors.New("a call of NCCL failed")
)

const (
	variable = "GALFFT_NCCL"
	standard = "libnccl.so.2"
	least    = 21400 // the first version with inits that can be given up
)

// function is one of NCCL's.
type function int

const (
	getVersion function = iota
	getUniqueID
	initRankConfig
	send
	receive
	groupStart
	groupEnd
	asyncError
	finalize
	destroy
	abort
	errorString
	functions
)

var symbols = [functions]string{"ncclGetVersion", "ncclGetUniqueId", "ncclCommInitRankConfig", "ncclSend", "ncclRecv",
	"ncclGroupStart", "ncclGroupEnd", "ncclCommGetAsyncError", "ncclCommFinalize", "ncclCommDestroy", "ncclCommAbort",
	"ncclGetErrorString"}

// Codes of ncclResult_t.
const (
	success     = 0
	remoteError = 6
	inProgress  = 7
)

// uniqueID is ncclUniqueId, which C passes by value.
type uniqueID struct{ Word [16]uint64 }

// config is ncclConfig_t as NCCL 2.14 has it. Newer ones go by its size.
type config struct {
	size           uint64
	magic, version uint32
	_, _           int32 // blocking: 0, and what fills the words
}

// library is NCCL.
type library struct {
	file    string
	version int32
	f       [functions]uintptr
	init    func(comm *uintptr, ranks int32, id uniqueID, rank int32, c *config) int32
	waiting config
}

// load opens NCCL, once for the process.
var load = sync.OnceValues(func() (*library, error) {
	l := &library{file: cmp.Or(os.Getenv(variable), standard)}
	l.waiting = config{size: uint64(unsafe.Sizeof(config{})), magic: 0xcafebeef, version: least}
	if err := os.Setenv("NCCL_NVLS_ENABLE", "0"); err != nil { // C sees it too
		return nil, fmt.Errorf("nccl: %w: %w", ErrUnavailable, err)
	}
	if err := open(l); err != nil {
		return nil, fmt.Errorf("nccl: %w: %w", ErrUnavailable, err)
	}
	if err := l.call(getVersion, address(&l.version)); err != nil {
		return nil, fmt.Errorf("nccl: %w: %w", ErrUnavailable, err)
	}
	if l.version < least {
		return nil, fmt.Errorf("nccl: %w: %s is version %s, want 2.14 or newer", ErrUnavailable, l.file, l.release())
	}
	return l, nil
})

// Available says which NCCL was found, or is an ErrUnavailable that says why there is none.
func Available() (string, error) {
	l, err := load()
	if err != nil {
		return "", err
	}
	return l.String(), nil
}

func (l *library) String() string { return fmt.Sprintf("NCCL %s (%s)", l.release(), l.file) }

// release is the version in words.
func (l *library) release() string {
	v := l.version
	if v < 10000 { // until 2.8
		return fmt.Sprintf("%d.%d.%d", v/1000, v/100%10, v%100)
	}
	return fmt.Sprintf("%d.%d.%d", v/10000, v/100%100, v%100)
}

// call is the error of a function. What is in progress is none.
func (l *library) call(f function, args ...uintptr) error {
	return l.failed(f, int32(invoke(l.f[f], args...)))
}

func (l *library) failed(f function, code int32) error {
	if code == success || code == inProgress {
		return nil
	}
	text := goString(invoke(l.f[errorString], uintptr(code)))
	return &callError{symbols[f], code, text}
}

// callError is an ErrCall.
type callError struct {
	op   string
	code int32
	text string
}

func (e *callError) Error() string { return fmt.Sprintf("nccl: %s: code %d: %s", e.op, e.code, e.text) }

func (e *callError) Is(target error) bool { return target == ErrCall }

// address is that of something in the heap, which the caller keeps.
func address[T any](x *T) uintptr { return uintptr(unsafe.Pointer(x)) }

// goString copies a string of C.
func goString(at uintptr) string {
	if at == 0 {
		return ""
	}
	p, n := *(*unsafe.Pointer)(unsafe.Pointer(&at)), 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}
