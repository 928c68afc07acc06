//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package shards

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A file whose reads wait is given up when the context ends, and leaves nothing behind.
func TestWaitingInput(t *testing.T) {
	dir := t.TempDir()
	pipe, set := filepath.Join(dir, "pipe"), filepath.Join(dir, "set")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	defer writer.Close()
	for _, some := range []string{"", "some"} { // never enough
		_, err := writer.WriteString(some)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		err = EncodeFile(ctx, pipe, set, 3, 2)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrRead)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, err := openInput(ctx, pipe)
	require.NoError(t, err)
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = s.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, s.Close())
}
