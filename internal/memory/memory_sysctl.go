//go:build darwin || freebsd

package memory

import (
	"encoding/binary"
	"runtime"
	"syscall"
)

func system() (bytes uint64, ok bool) {
	name := "hw.memsize"
	if runtime.GOOS == "freebsd" {
		name = "hw.physmem"
	}
	// The value is a number in the machine's own order, of which package syscall takes a last byte 0 for the end of a
	// text.
	text, err := syscall.Sysctl(name)
	if err != nil || len(text) > 8 {
		return 0, false
	}
	if len(text) < 8 {
		text += string(make([]byte, 8-len(text)))
	}
	n := binary.LittleEndian.Uint64([]byte(text))
	return n, n > 0
}
