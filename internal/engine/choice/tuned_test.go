package choice

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/galfft/fft/field"
)

// table has one choice for one key.
type table struct {
	field.Untuned
	k field.TuningKey
	t field.Tuned
}

func (t *table) Tuned(k field.TuningKey) (field.Tuned, bool) { return t.t, t.k == k }

// tuned chooses for the length n by a table that has t for the key k.
func (b bulk) tuned(n int, s field.Spec, t field.Tuned, k field.TuningKey) (Choice, field.Spec, string, error) {
	t.Source = "file:7"
	if s.MemoryLimit == 0 {
		s.MemoryLimit = 1 << 30
	}
	s.Tuning = &table{k: k, t: t}
	c, s, ignored, err := Tuned(b.problem(n, s), k)
	c.Primes, c.Codelet = nil, 0
	return c, s, ignored, err
}

func TestTuned(t *testing.T) {
	k := field.TuningKey{Form: p62.Form, Bytes: 8, N: 1 << 16, Workers: 8}
	eight := field.Spec{Workers: 8}
	four := field.Tuned{Algorithm: field.FourStep, Base: 64, Strip: 16, Radix: 4, Twiddles: field.FullTwiddles,
		Tasks: 3}

	// A choice is taken as it stands.
	want, err := p62.of(1<<16, field.Spec{Algorithm: field.FourStep, Base: 64, Strip: 16, Radix: 4,
		Twiddles: field.FullTwiddles, Workers: 3, Grain: 1})
	require.NoError(t, err)
	want.Reason = "tuned: file:7"
	c, s, ignored, err := p62.tuned(1<<16, eight, four, k)
	require.NoError(t, err)
	require.Empty(t, ignored)
	require.Equal(t, want, c)
	require.Equal(t, 3, c.Tasks)
	require.Equal(t, 3, Tasks(p62.Traits, 1<<16, s, 1), "tasks of the spec are those of the choice")
	require.Equal(t, field.Auto, s.Algorithm, "what was asked for stays")

	// Another length, and whatever was asked for, goes without.
	own, err := p62.of(1<<16, eight)
	require.NoError(t, err)
	other := k
	other.N++
	s = eight
	s.Tuning, s.MemoryLimit = &table{k: other, t: four}, 1<<30
	c, _, ignored, err = Tuned(p62.problem(1<<16, s), k)
	require.NoError(t, err)
	require.Empty(t, ignored)
	require.Equal(t, own, c)
	for _, asked := range []field.Spec{{Algorithm: field.SixStep}, {Base: 32}, {Strip: 4}, {Radix: 4}, {Cache: 77},
		{Grain: 5, Workers: 8}, {Twiddles: field.TwoLevel}} {
		own, err := p62.of(1<<16, asked)
		require.NoError(t, err)
		c, s, ignored, err := p62.tuned(1<<16, asked, four, k)
		require.NoError(t, err)
		require.Empty(t, ignored)
		require.Equal(t, own, c, "%+v", asked)
		require.Equal(t, asked.Workers, s.Workers)
	}

	// A line that keeps the default says so.
	c, _, _, err = p62.tuned(1<<16, eight, field.Tuned{}, k)
	require.NoError(t, err)
	require.Equal(t, own.Reason+"; tuned: file:7", c.Reason)
	require.Equal(t, own.Algorithm, c.Algorithm)

	// What cannot run is left aside, with the reason.
	for why, bad := range map[string]field.Tuned{
		"want an odd prime length":              {Algorithm: field.Bluestein, Tasks: 1},
		"base case 3, want a power of two":      {Algorithm: field.FourStep, Base: 3},
		"strip -4, want a power of two":         {Strip: -4},
		"-1 tasks, want none negative":          {Tasks: -1},
		"scheme #99":                            {Algorithm: 99},
		"twiddles #9":                           {Twiddles: 9},
		"want a power of two from 2 to 64, and": {Algorithm: field.Codelet},
	} {
		c, s, ignored, err := p62.tuned(1<<16, eight, bad, k)
		require.NoError(t, err)
		require.Contains(t, ignored, "file:7: ")
		require.Contains(t, ignored, why)
		require.Equal(t, own, c)
		require.Equal(t, eight.Workers, s.Workers)
		require.Zero(t, s.Grain)
	}
}

// Whatever a table says, a plan is found wherever one is without it, and tasks stay within the workers.
func TestTunedAlways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom(samples).Draw(t, "bulk")
		n := rapid.OneOf(rapid.Map(rapid.IntRange(0, 20), func(k int) int { return 1 << k }),
			rapid.IntRange(1, 5000)).Draw(t, "n")
		s := field.Spec{Workers: rapid.IntRange(0, 9).Draw(t, "workers"),
			Order: field.Order(rapid.IntRange(0, 2).Draw(t, "order"))}
		some := rapid.SampledFrom([]int{0, 2, 4, 8, 64, 1 << 12, 1 << 20, 3, -1})
		v := field.Tuned{Algorithm: field.Algorithm(rapid.IntRange(0, 10).Draw(t, "scheme")), Base: some.Draw(t, "base"),
			Strip: some.Draw(t, "strip"), Twiddles: field.Twiddles(rapid.IntRange(0, 3).Draw(t, "twiddles")),
			Tasks: rapid.IntRange(-1, 12).Draw(t, "tasks")}
		k := field.TuningKey{N: n, Workers: max(1, s.Workers)}
		_, want := b.of(n, s)
		c, after, ignored, err := b.tuned(n, s, v, k)
		require.Equal(t, want, err)
		require.LessOrEqual(t, 1, c.Tasks)
		require.LessOrEqual(t, c.Tasks, max(1, s.Workers))
		if c.Algorithm != field.Bluestein || c.Tasks > 1 { // which may not share its work
			require.Equal(t, c.Tasks, Tasks(b.Traits, n, after, 1))
		}
		if v.Check() != nil {
			require.NotEmpty(t, ignored)
		}
		if ignored == "" && v.Algorithm != field.Auto {
			require.Equal(t, v.Algorithm, c.Algorithm)
			require.Equal(t, "tuned: file:7", c.Reason)
		}
	})
}
