package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Errors of this package, found with errors.Is.
var (
	ErrUnavailable  = errors.New("no CUDA driver or device")
	ErrMemory       = errors.New("not enough memory on the device")                      // also field.ErrMemory
	ErrBusy         = errors.New("device is taken by another process, or closed to all") // by its compute mode
	ErrLost         = errors.New("device lost")                                          // every later call of the process fails
	ErrArchitecture = errors.New("device or driver does not run this code")
	ErrModule       = errors.New("bad module of kernels")
	ErrClosed       = errors.New("closed before")
	ErrNoGraphs     = errors.New("driver has no graphs")
	ErrPointer      = errors.New("no memory of device")
	ErrStream       = errors.New("no stream of device")
	ErrCapturing    = errors.New("stream is capturing")
)

// errNotReady is what a place in a stream is that has not been reached. It is no failure, and allocates nothing.
var errNotReady = errors.New("not ready")

const notReady = 600 // its code

// kinds are the driver's codes of errors that have a value of their own. What follows a lost device is undefined, so
// code 999, of which the driver knows nothing, counts as one.
var kinds = map[error][]int{
	ErrMemory:       {2},
	ErrBusy:         {46},
	ErrLost:         {4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999},
	ErrArchitecture: {209, 222},
	ErrModule:       {200, 218, 221, 223, 300, 301, 302, 303, 500},
}

// Error is a failure that the driver reported. With asynchronous work, Op need not be its cause.
type Error struct {
	Op     string // the function, as cuMemAlloc
	Code   int    // CUresult
	Name   string // of the code, as CUDA_ERROR_OUT_OF_MEMORY, if the driver has one
	Text   string // the driver's explanation
	Detail string // what the call was about, or the log of the compiler of PTX
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", e.Op)
	if e.Text != "" {
		fmt.Fprintf(&b, "%s, ", e.Text)
	}
	fmt.Fprintf(&b, "error %d", e.Code)
	if e.Name != "" {
		fmt.Fprintf(&b, " (%s)", e.Name)
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	return b.String()
}

// Is reports whether target is the value of this package for the code, or field.ErrMemory for lack of memory.
func (e *Error) Is(target error) bool {
	if target == field.ErrMemory {
		target = ErrMemory
	}
	return slices.Contains(kinds[target], e.Code)
}

func (l *Library) failed(f function, code int) error {
	op, _, _ := strings.Cut(symbols[f], "_")
	return &Error{Op: op, Code: code, Name: l.describe(cuGetErrorName, code), Text: l.describe(cuGetErrorString, code)}
}

// describe is what the driver has to say about a code, nothing where it does not know it.
func (l *Library) describe(f function, code int) string {
	var text *byte
	escape(unsafe.Pointer(&text))
	frame := l.take()
	defer l.give(frame)
	frame.args[0], frame.args[1] = uintptr(code), uintptr(unsafe.Pointer(&text))
	if invoke(l.address[f], frame.args[:2]) != 0 {
		return ""
	}
	return goString(text)
}

// goString copies a string of C.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// detail adds what a failed call was about.
func detail(err error, format string, args ...any) error {
	if e, ok := err.(*Error); ok && e.Detail == "" {
		e.Detail = fmt.Sprintf(format, args...)
	}
	return err
}
