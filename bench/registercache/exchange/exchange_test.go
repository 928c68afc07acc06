package exchange

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever lanes read, they have it, by as few shuffles as registers of one lane are wanted.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 41))
	for range 300 {
		inputs := 1 + r.IntN(200)
		order := r.Perm(inputs)
		place := func(j int) Place { return InTurn(order[j]) }
		var table []Reads
		for range 3 {
			var reads Reads
			for l := range reads {
				reads[l] = r.IntN(inputs+5) - 5
				reads[l] = max(reads[l], None)
			}
			table = append(table, reads)
		}
		p, err := New(inputs, place, table...)
		require.NoError(t, err)
		x := make([]uint32, inputs)
		for j := range x {
			x[j] = r.Uint32()
		}
		c := Counts{}
		for i, reads := range table {
			got := p.Run(x, i)
			wanted := map[int]map[int]bool{}
			for l, j := range reads {
				want := uint32(0)
				if j != None {
					want = x[j]
					at := place(j)
					if wanted[at.Lane] == nil {
						wanted[at.Lane] = map[int]bool{}
					}
					wanted[at.Lane][at.Slot] = true
					c.Reads++
				}
				require.Equal(t, want, got[l])
			}
			most := 0
			for _, slots := range wanted {
				most = max(most, len(slots))
			}
			require.Len(t, p.Steps[i].Shuffles, most)
			c.Conflicts += max(0, most-1)
		}
		require.Equal(t, c.Reads, p.Counts().Reads)
		require.Equal(t, c.Conflicts, p.Counts().Conflicts)
	}
}

// Neighbours take one shuffle for each distance, at which lanes beyond the last go round to the next register.
func TestNeighbours(t *testing.T) {
	var table []Reads
	for d := range 4 {
		var reads Reads
		for l := range reads {
			reads[l] = l + d
		}
		table = append(table, reads)
	}
	p, err := New(35, InTurn, table...)
	require.NoError(t, err)
	require.Equal(t, 2, p.Slots)
	require.Equal(t, Counts{Reads: 128, Shuffles: 3, Own: 1, Selects: 3}, p.Counts())
	slot := func(i int) string { return []string{"a", "b"}[i] }
	require.Equal(t, "u32 v = a;\n", p.Steps[0].Source("v", slot))
	require.Equal(t, "u32 v = from_lane(lane < 2 ? b : a, lane + 2);\n", p.Steps[2].Source("v", slot))
}

// Forms of the source: one lane for all, lanes that read nothing, conflicts, and any lanes.
func TestSource(t *testing.T) {
	slot := func(i int) string { return []string{"a", "b", "c"}[i] }
	source := func(read func(l int) int) string {
		var reads Reads
		for l := range reads {
			reads[l] = read(l)
		}
		p, err := New(96, InTurn, reads)
		require.NoError(t, err)
		return p.Steps[0].Source("v", slot)
	}
	require.Equal(t, "u32 v = from_lane(b, 3);\n", source(func(int) int { return 35 }))
	require.Equal(t, "u32 v = 0;\n", source(func(int) int { return None }))
	require.Equal(t, "u32 v = a;\nv = lane < 4 ? v : 0;\n", source(func(l int) int {
		if l < 4 {
			return l
		}
		return None
	}))
	require.Equal(t, "u32 v = from_lane(a, 5);\nu32 v_1 = from_lane(b, 5);\nv = (0xaaaaaaaau >> lane & 1) ? v_1 : v;\n",
		source(func(l int) int { return 5 + 32*(l%2) }))
	require.Equal(t, "u32 v = from_lane(c, lane ^ 7);\n", source(func(l int) int { return 64 + (l ^ 7) }))
	require.Equal(t, "u32 v = from_lane(lane < 16 ? a : b, lane + 16);\n", source(func(l int) int {
		if l < 16 {
			return 32 + l + 16
		}
		return l - 16
	}))
	require.Contains(t, source(func(l int) int { return 3 * l % 32 }), "(0xaaaaaaaau >> lane & 1) << 0")
}

func TestErrors(t *testing.T) {
	_, err := New(33, func(j int) Place { return Place{j % Lanes, 0} })
	require.ErrorContains(t, err, "inputs 0 and 32")
	_, err = New(1, func(int) Place { return Place{Lanes, 0} })
	require.ErrorContains(t, err, "lane 32")
	var reads Reads
	reads[7] = 4
	_, err = New(4, InTurn, reads)
	require.ErrorContains(t, err, "lane 7 reads input 4 of 4 in iteration 0")
}
