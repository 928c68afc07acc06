package choice

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// described is a bulk that is asked for its traits alone.
type described struct {
	bulks.Bulk
	traits bulks.Traits
}

func (d described) Traits() bulks.Traits { return d.traits }

func TestFirst(t *testing.T) {
	long := described{traits: bulks.Traits{Least: 256, Multiple: 64}}
	tiles := described{traits: bulks.Traits{Multiple: 64}}
	all := described{}
	for _, c := range []struct {
		n, want int
		of      []bulks.Bulk
	}{
		{256, 0, []bulks.Bulk{long, all}},
		{192, 1, []bulks.Bulk{long, all}},
		{320, 0, []bulks.Bulk{long, all}},
		{257, 1, []bulks.Bulk{long, all}},
		{192, 1, []bulks.Bulk{long, tiles, all}},
		{1, 1, []bulks.Bulk{tiles, all}},
		{96, -1, []bulks.Bulk{tiles}},
		{64, -1, nil},
	} {
		require.Equal(t, c.want, First(c.n, c.of), "length %d", c.n)
	}
}
