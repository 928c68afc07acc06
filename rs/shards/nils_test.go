package shards

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/rs"
)

var noContext context.Context

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	src := bytes.NewReader(nil)
	encode := func(opts ...Option) error { return Encode(ctx, src, dir, 1, 0, opts...) }
	set := open(t, encoded(t, nil, 1, 1))
	refused := func(call func(s *Set, ctx context.Context) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return call(nil, ctx) },
			func() error { return call(new(Set), ctx) }, func() error { return call(set, noContext) })}
	}
	var finding *Finding
	var beyond *BeyondError
	fine := func(o Option) []nils.Case {
		return []nils.Case{nils.Is(ErrExists, func() error { return encode(short, o) })}
	}
	require.NoError(t, encode(short))
	table := nils.Table{
		"Encode": {nils.Is(field.ErrSpec, func() error { return Encode(noContext, src, dir, 1, 1) },
			func() error { return Encode(ctx, nil, dir, 1, 1) }, func() error { return encode(nil) }),
			nils.Is(rs.ErrCounts, func() error { return Encode(ctx, src, dir, 0, 0) }),
			nils.Is(ErrExists, func() error { return Encode(ctx, src, "", 1, 1) })},
		"EncodeFile": {nils.Is(field.ErrSpec, func() error { return EncodeFile(noContext, dir, dir, 1, 1) }),
			nils.Is(ErrRead, func() error { return EncodeFile(ctx, "", dir, 1, 1) })},
		"Open": {nils.Is(field.ErrSpec, func() error { _, err := Open(noContext, []string{dir}); return err },
			func() error { _, err := Open(ctx, nil); return err },
			func() error { _, err := Open(ctx, []string{dir}, nil); return err }),
			nils.Is(ErrRead, func() error { _, err := Open(ctx, []string{""}); return err })},
		"Set.Info": {nils.Quiet(func() { require.Zero(t, (*Set)(nil).Info()) },
			func() { require.Zero(t, new(Set).Info()) })},
		"Set.Copy": append(refused(func(s *Set, ctx context.Context) error { return s.Copy(ctx, io.Discard) }),
			nils.Is(field.ErrSpec, func() error { return set.Copy(ctx, nil) })),
		"Set.Check":  refused(func(s *Set, ctx context.Context) error { _, err := s.Check(ctx); return err }),
		"Set.Repair": refused(func(s *Set, ctx context.Context) error { _, err := s.Repair(ctx); return err }),
		"Set.Restore": append(refused(func(s *Set, ctx context.Context) error { return s.Restore(ctx, "x") }),
			nils.Is(field.ErrSpec, func() error { return set.Restore(ctx, "") })),
		"WithCode":     append(fine(WithCode(0)), nils.Is(field.ErrSpec, func() error { return encode(WithCode(-1)) })),
		"WithWorkers":  append(fine(WithWorkers(0)), nils.Is(field.ErrSpec, func() error { return encode(WithWorkers(-1)) })),
		"WithFiles":    append(fine(WithFiles(0)), nils.Is(field.ErrSpec, func() error { return encode(WithFiles(-1)) })),
		"WithProgress": fine(WithProgress(nil)),
		"WithNotes":    fine(WithNotes(nil)),
		"WithMemoryLimit": {nils.Is(field.ErrSpec, func() error { return encode(WithMemoryLimit(0)) },
			func() error { return encode(WithMemoryLimit(-1)) })},
		"Kind.String": {nils.Quiet(func() { require.Equal(t, "stream", Kind(0).String()) },
			func() { require.Equal(t, "unknown", kinds.String()) })},
		"State.String": {nils.Quiet(func() { require.Equal(t, "intact", State(0).String()) },
			func() {
				require.Equal(t, "unknown", State(-1).String()+"")
				require.Equal(t, "unknown", states.String())
			})},
		"Finding.Error": {nils.Quiet(func() { _ = (&Finding{Err: ErrMissing}).Error() }),
			nils.Panics(func() { _ = finding.Error() })},
		"Finding.Unwrap": {nils.Quiet(func() { require.NoError(t, new(Finding).Unwrap()) }),
			nils.Panics(func() { _ = finding.Unwrap() })},
		"BeyondError.Error": {nils.Quiet(func() { _ = new(BeyondError).Error() }),
			nils.Panics(func() { _ = beyond.Error() })},
		"BeyondError.Is": {nils.Quiet(func() { require.False(t, new(BeyondError).Is(nil)) },
			func() { require.True(t, beyond.Is(rs.ErrBeyond)) })},
		"BeyondError.Unwrap": {nils.Quiet(func() { require.Empty(t, new(BeyondError).Unwrap()) }),
			nils.Panics(func() { _ = beyond.Unwrap() })},
	}
	nils.Run(t, table)
}
