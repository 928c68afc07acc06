package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"unsafe"

	"github.com/galfft/fft/internal/benchjson"
)

// midintPeer is the column of a program that was built before. It is called with the operation, the bits, the number
// of integers and the launches to time; has the words of x and of y, of 32 bits and little-endian, as its input; and
// writes a line with the median in ns and the device, then the words of the result. A program that ends with status 3
// has no such operation or size.
func midintPeer(name, path string) midintColumn {
	return midintColumn{name: name, open: func(c *midintCase) (*midintCall, error) {
		if _, err := exec.LookPath(path); err != nil {
			return nil, fmt.Errorf("%w: the program is not there", errAbsent)
		}
		if c.again {
			return nil, fmt.Errorf("%w: one call alone", errAbsent)
		}
		return callPeer(c, path)
	}}
}

// midintNoPeer is the column of a program that was not built: a cell that says so.
func midintNoPeer(name string) midintColumn {
	return midintColumn{name: name, open: func(*midintCase) (*midintCall, error) {
		return nil, fmt.Errorf("%w: not compiled: no -peer has the name", errAbsent)
	}}
}

// unfit is the exit status of a program that lacks what it was asked for.
const unfit = 3

func callPeer(c *midintCase, path string) (*midintCall, error) {
	var failed bytes.Buffer
	cmd := exec.Command(path, c.op, strconv.Itoa(c.bits), strconv.Itoa(c.x.Len()), strconv.Itoa(midintLaunches))
	cmd.Stdin = io.MultiReader(bytes.NewReader(plainBytes(c.x.Words())), bytes.NewReader(plainBytes(c.y.Words())))
	cmd.Stderr = &failed
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the program: %w", err)
	}
	z := make([]uint32, c.wide()*len(c.x.Words()))
	ns, device, readErr := peerResult(out, z)
	_, _ = io.Copy(io.Discard, out) // else it waits for a reader
	if err := cmd.Wait(); err != nil {
		var status *exec.ExitError
		if errors.As(err, &status) && status.ExitCode() == unfit {
			return nil, fmt.Errorf("%w: the program has no such operation or size", errAbsent)
		}
		return nil, fmt.Errorf("the program: %w: %s", err, failed.String())
	}
	if readErr != nil {
		return nil, readErr
	}
	call := &midintCall{device: device, residency: "device", median: ns,
		result: func() ([]uint32, error) { return z, nil }}
	if device == "" {
		call.device, call.residency = benchjson.CPU(), "host"
	}
	return call, nil
}

// peerResult reads what a program writes: the line, and all words of the result, into z.
func peerResult(from io.Reader, z []uint32) (ns float64, device string, err error) {
	r := bufio.NewReader(from)
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, "", fmt.Errorf("the program wrote no line: %w", err)
	}
	number, device, _ := strings.Cut(strings.TrimSpace(line), " ")
	if ns, err = strconv.ParseFloat(number, 64); err != nil {
		return 0, "", err
	}
	if _, err := io.ReadFull(r, plainBytes(z)); err != nil {
		return 0, "", fmt.Errorf("the result: %w", err)
	}
	if n, _ := io.Copy(io.Discard, r); n > 0 {
		return 0, "", fmt.Errorf("%d bytes behind the result", n)
	}
	return ns, device, nil
}

// plainBytes is the memory of words. All machines of the tables are little-endian.
func plainBytes(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}
