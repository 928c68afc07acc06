package mpi

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"
)

// library is an MPI library that was opened. Its functions are called by one thread.
type library struct {
	abi
	file, version string
	f             [functions]uintptr
	room
}

// room is what functions of the library read and write, by address: in the heap with the library, as stacks move.
type room struct {
	x, y       int32
	in, out    [3]uint64
	request    [2]uintptr // at most; a handle of MPICH has 4 bytes
	status     [8]uint64
	text       [8192]byte
	textLength int32
}

// said is the text that a function has written.
func (r *room) said() string {
	line, _, _ := strings.Cut(string(r.text[:min(max(0, int(r.textLength)), len(r.text))]), "\n")
	return strings.Join(strings.Fields(strings.TrimRight(line, "\x00")), " ")
}

// Available says which library Start would open, or without a launcher which one there is: the launcher has to be of
// the same. It starts nothing. The error is ErrUnavailable, with the files that it tried.
func Available() (string, error) {
	by := launched()
	if by.name == "" {
		by.files = slices.Concat(others, openMPIs)
	}
	before := handling()
	l, err := load(by.files)
	repair(before)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%s)", l.version, l.file), nil
}

// load opens the first file that there is.
func load(files []string) (*library, error) {
	if named := os.Getenv("GALFFT_MPI"); named != "" {
		files = []string{named}
	}
	var handle uintptr
	var tried []string
	l := new(library)
	for _, l.file = range files {
		var err error
		if handle, err = open(l.file); err == nil {
			break
		}
		tried = append(tried, err.Error())
	}
	if handle == 0 {
		return nil, fmt.Errorf("mpi: %w: %s", ErrUnavailable, strings.Join(tried, "; "))
	}
	for i, name := range symbols {
		var err error
		if l.f[i], err = symbol(handle, name); err != nil {
			return nil, fmt.Errorf("mpi: %w: %s: %w", ErrUnavailable, l.file, err)
		}
	}
	// Newer libraries have the function of the standard's ABI in their own one too, where it says -1.
	if f, err := symbol(handle, "MPI_Abi_get_version"); err == nil {
		invoke(f, address(&l.x), address(&l.y))
	}
	l.abi = mpich
	if l.x >= 1 {
		l.abi = standard
	} else if a, err := openMPI(func(name string) (uintptr, error) { return symbol(handle, name) }); err == nil {
		l.abi = a
	}
	err := l.call(libraryVersion, address(&l.text[0]), address(&l.textLength))
	l.version = l.said()
	return l, err
}

// call is the error of a function.
func (l *library) call(f function, args ...uintptr) error {
	code := invoke(l.f[f], args...)
	if code == 0 {
		return nil
	}
	invoke(l.f[errorString], uintptr(code), address(&l.text[0]), address(&l.textLength))
	return fmt.Errorf("mpi: %w: %s: code %d: %s", ErrCall, symbols[f], code, l.said())
}

// address is that of something in the heap, which the caller keeps: stacks move.
func address[T any](x *T) uintptr { return uintptr(unsafe.Pointer(x)) }

// Errors of the library, which errors.Is finds.
var (
	ErrUnavailable = errors.New("no MPI, or not started by it")
	ErrCall        = errors.New("a call of MPI failed")
)
