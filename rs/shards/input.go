package shards

import (
	"context"
	"os"
	"time"
)

// input is a file that is read.
type input struct {
	*os.File
	stop func() bool
}

// openInput opens one whose reads fail when ctx ends, those that wait too: pipes do, and some files of /proc which
// count as regular ones.
func openInput(ctx context.Context, path string) (*input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() {
		_ = f.SetReadDeadline(time.Unix(1, 0)) // files that do not wait have none
	})
	return &input{f, stop}, nil
}

// Close closes the file.
func (s *input) Close() error {
	s.stop()
	return s.File.Close()
}
