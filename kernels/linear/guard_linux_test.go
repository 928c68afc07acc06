package linear

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// fenced returns n bytes of which the last, or else the first, lies beside a page that nobody may touch.
func fenced(t *testing.T, n int, last bool) []byte {
	page := os.Getpagesize()
	room := (n + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(all)) })
	for _, fence := range [][]byte{all[:page], all[page+room:]} {
		require.NoError(t, syscall.Mprotect(fence, syscall.PROT_NONE))
	}
	if last {
		return all[page+room-n : page+room : page+room]
	}
	return all[page : page+n : page+n]
}
