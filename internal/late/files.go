package late

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/galfft/fft/rs/shards"
)

// OverFiles calls all functions of package rs/shards, with so many bytes in 3 shards of data and 2 of parity, of which
// one is missing. Files are in a directory that is there for one call.
func OverFiles(size int) []Call {
	text := make([]byte, size)
	encode := func(ctx context.Context, parent string) (string, error) {
		dir := filepath.Join(parent, "set")
		return dir, shards.Encode(ctx, bytes.NewReader(text), dir, 3, 2, shards.WithMemoryLimit(1<<12))
	}
	inside := func(run func(ctx context.Context, parent string) error) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			parent, err := os.MkdirTemp("", "late")
			if err != nil {
				return err
			}
			return errors.Join(run(ctx, parent), os.RemoveAll(parent))
		}
	}
	of := func(run func(ctx context.Context, s *shards.Set, parent string) error) func(ctx context.Context) error {
		return inside(func(ctx context.Context, parent string) error {
			dir, err := encode(context.Background(), parent)
			if err == nil {
				err = os.Remove(filepath.Join(dir, "001.shard"))
			}
			if err != nil {
				return err
			}
			s, err := shards.Open(context.Background(), []string{dir})
			if err != nil {
				return err
			}
			return run(ctx, s, parent)
		})
	}
	return []Call{
		{"shards.Encode", inside(func(ctx context.Context, parent string) error { _, err := encode(ctx, parent); return err })},
		{"shards.EncodeFile", inside(func(ctx context.Context, parent string) error {
			name := filepath.Join(parent, "file")
			if err := os.WriteFile(name, text, 0o600); err != nil {
				return err
			}
			return shards.EncodeFile(ctx, name, filepath.Join(parent, "set"), 3, 2, shards.WithMemoryLimit(1<<12))
		})},
		{"shards.Open", inside(func(ctx context.Context, parent string) error {
			dir, err := encode(context.Background(), parent)
			if err == nil {
				_, err = shards.Open(ctx, []string{dir})
			}
			return err
		})},
		{"shards.Set.Copy", of(func(ctx context.Context, s *shards.Set, _ string) error { return s.Copy(ctx, io.Discard) })},
		{"shards.Set.Check", of(func(ctx context.Context, s *shards.Set, _ string) error { _, err := s.Check(ctx); return err })},
		{"shards.Set.Repair", of(func(ctx context.Context, s *shards.Set, _ string) error { _, err := s.Repair(ctx); return err })},
		{"shards.Set.Restore", of(func(ctx context.Context, s *shards.Set, parent string) error {
			return s.Restore(ctx, filepath.Join(parent, "file"))
		})},
	}
}
