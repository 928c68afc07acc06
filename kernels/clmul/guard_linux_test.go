package clmul

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/cpu"
)

// Kernels read and write nothing outside of what they are given: pages beside it are not theirs.
func TestFences(t *testing.T) {
	page := os.Getpagesize()
	var pages [3][]byte
	for i := range pages {
		all, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, syscall.Munmap(all)) })
		for _, fence := range [][]byte{all[:page], all[2*page:]} {
			require.NoError(t, syscall.Mprotect(fence, syscall.PROT_NONE))
		}
		pages[i] = all[page : 2*page]
	}
	each(t, func(_ cpu.Tier, s *Set) {
		for n := 1; n < 20; n++ {
			for _, at := range []int{0, page - 8*n} {
				p := func(i int) *uint64 { return (*uint64)(unsafe.Pointer(&pages[i][at])) }
				s.Mul(p(0), p(1), p(2), n)
			}
		}
	})
}
