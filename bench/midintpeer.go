package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

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
		if c.workers > 1 {
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
	var in, out, failed bytes.Buffer
	for _, words := range [][]uint32{c.x.Words(), c.y.Words()} {
		if err := binary.Write(&in, binary.LittleEndian, words); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(path, c.op, strconv.Itoa(c.bits), strconv.Itoa(c.x.Len()), strconv.Itoa(midintLaunches))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &failed
	if err := cmd.Run(); err != nil {
		var status *exec.ExitError
		if errors.As(err, &status) && status.ExitCode() == unfit {
			return nil, fmt.Errorf("%w: the program has no such operation or size", errAbsent)
		}
		return nil, fmt.Errorf("the program: %w: %s", err, failed.String())
	}
	r := bufio.NewReader(&out)
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the program wrote no line: %w", err)
	}
	number, device, _ := strings.Cut(strings.TrimSpace(line), " ")
	ns, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil, err
	}
	z := make([]uint32, c.wide()*len(c.x.Words()))
	if err := binary.Read(r, binary.LittleEndian, z); err != nil {
		return nil, fmt.Errorf("the result: %w", err)
	}
	if n, _ := io.Copy(io.Discard, r); n > 0 {
		return nil, fmt.Errorf("%d bytes behind the result", n)
	}
	call := &midintCall{device: device, residency: "device", median: ns,
		result: func() ([]uint32, error) { return z, nil }}
	if device == "" {
		call.device, call.residency = benchjson.CPU(), "host"
	}
	return call, nil
}
