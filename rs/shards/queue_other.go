//go:build !linux || (!amd64 && !arm64)

package shards

import "errors"

// queue is nothing where the system has none, or nobody has tried it.
type queue struct{}

func newQueue(int, int) (*queue, error) { return nil, errors.ErrUnsupported }

func (*queue) close()                                {}
func (*queue) take() (slot int, b []byte, err error) { return 0, nil, errors.ErrUnsupported }
func (*queue) give(int)                              {}
func (*queue) write(int, *file, int, int64) error    { return errors.ErrUnsupported }
func (*queue) submit() error                         { return errors.ErrUnsupported }
func (*queue) wait() error                           { return errors.ErrUnsupported }
func (*file) around(bool) error                      { return errors.ErrUnsupported }
