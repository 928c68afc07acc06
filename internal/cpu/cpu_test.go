package cpu

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	present := Present()
	require.Equal(t, Generic, present[0])
	best := present[len(present)-1]
	require.Equal(t, best, choose("").tier)
	require.Equal(t, choice{tier: Generic, plain: true, why: Variable + "=generic-gfni"}, choose("generic-gfni"))
	for _, tier := range present {
		c := choose(tier.String())
		require.NoError(t, c.err)
		require.Equal(t, tier, c.tier)
		require.Contains(t, c.why, Variable)
		undo, err := Use(tier)
		require.NoError(t, err)
		require.Equal(t, tier, Active())
		require.NotEmpty(t, Why())
		undo()
		parsed, err := Parse(tier.String())
		require.NoError(t, err)
		require.Equal(t, tier, parsed)
	}
	for _, asked := range []string{"sse2", "AVX2", "7", "avx2-mulx", "-gfni"} {
		c := choose(asked)
		require.Equal(t, choice{tier: best, why: choose("").why, err: c.err}, c)
		require.ErrorContains(t, c.err, Variable+"="+asked+": cpu: unknown tier")
	}
	for tier := Generic; tier <= NEON; tier++ {
		if _, err := Use(tier); len(missing(tier)) > 0 {
			require.ErrorContains(t, err, tier.String())
			require.ErrorContains(t, choose(tier.String()).err,
				Variable+"="+tier.String()+": cpu: tier "+tier.String()+" is not there")
		}
	}
	require.Equal(t, "#9", Tier(9).String())
}

// TestPresent reads the flags of the machine by itself: a tier whose flags are all there must be present.
func TestPresent(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("the flags of the processor are read from Linux: ", err)
	}
	if len(known) == 0 {
		t.Skip("no assembly is built in: tag purego, or another architecture")
	}
	flags := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if name, list, ok := strings.Cut(line, ":"); ok && (strings.HasPrefix(name, "flags") ||
			strings.HasPrefix(name, "Features")) {
			for _, f := range strings.Fields(list) {
				flags[f] = true
			}
			break
		}
	}
	needs := map[Tier][]string{
		AVX2:   {"avx2"},
		AVX512: {"avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl"},
		IFMA:   {"avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma"},
	}
	if runtime.GOARCH == "arm64" {
		needs = map[Tier][]string{NEON: {"asimd"}}
	}
	for tier, list := range needs {
		all := true
		for _, f := range list {
			all = all && flags[f]
		}
		require.Equal(t, all, len(missing(tier)) == 0, "tier %v, which needs %v", tier, list)
		if all {
			require.Contains(t, Present(), tier)
		}
	}
}

// Features has those of every tier that is present, each once.
func TestFeatures(t *testing.T) {
	list := Features()
	for _, tier := range Present() {
		for _, f := range features(tier) {
			if !slices.Contains(list, f.name) {
				t.Errorf("%v is present, and %s missing in %v", tier, f.name, list)
			}
		}
	}
	if slices.Contains(list, "adx") != mulx {
		t.Errorf("%v, where MULX is %v", list, mulx)
	}
	if slices.Contains(list, "gfni") != gfni {
		t.Errorf("%v, where GFNI is %v", list, gfni)
	}
	slices.Sort(list)
	if len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%v has some twice", list)
	}
}

// GFNI is left out until that is undone, and in no tier below AVX2.
func TestWithoutGFNI(t *testing.T) {
	for _, tier := range Present() {
		undo, err := Use(tier)
		require.NoError(t, err)
		require.Equal(t, gfni && tier != Generic && tier != NEON, GFNI256(), "tier %v", tier)
		require.Equal(t, GFNI256() && vbmi && tier >= AVX512, GFNI(), "tier %v", tier)
		again := WithoutGFNI()
		require.False(t, GFNI() || GFNI256(), "tier %v", tier)
		again()
		require.Equal(t, gfni && tier != Generic && tier != NEON, GFNI256(), "tier %v", tier)
		undo()
	}
}
