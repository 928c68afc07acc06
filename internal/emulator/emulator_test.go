package emulator

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Whoever wants a file that another makes waits for it.
func TestOnce(t *testing.T) {
	b := builder{cache: t.TempDir()}
	path := filepath.Join(b.cache, "file")
	var made atomic.Int32
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			err := b.once(path, func(out string) error {
				made.Add(1)
				time.Sleep(20 * time.Millisecond)
				return os.WriteFile(out, []byte("made"), 0o666)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if text, err := os.ReadFile(path); err != nil || string(text) != "made" || made.Load() != 1 {
		t.Errorf("%q, %v, made %d times", text, err, made.Load())
	}
}

func TestOff(t *testing.T) {
	t.Setenv(Switch, "off")
	if _, err := BuildFrom(t.TempDir()); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
