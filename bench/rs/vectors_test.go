package rs

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/galfft/fft/rs"
	"github.com/klauspost/reedsolomon"
)

var update = flag.Bool("update", false, "write the vectors of klauspost/reedsolomon anew")

// fill is that of peers/vectors.h.
func fill(shards, size int) [][]byte {
	z := make([][]byte, shards)
	for i := range z {
		z[i] = make([]byte, size)
		for j := range z[i] {
			x := uint32(i)*2654435761 + uint32(j)*40503 + 12345
			z[i][j] = byte(x>>16 ^ x>>5)
		}
	}
	return z
}

// The vectors of package rs are what klauspost/reedsolomon makes.
func TestVectors(t *testing.T) {
	const file = "../../rs/testdata/klauspost.txt"
	var b strings.Builder
	b.WriteString("# klauspost/reedsolomon v1.14.2, by bench/rs: go -C bench/rs test -update\n")
	for _, c := range same {
		words := [][3]int{{1, 1, 64}, {2, 3, 128}, {10, 4, 1024}, {30, 40, 320}, {100, 120, 64}}
		if c.code == rs.Leopard16 {
			words = append(words, [3]int{1000, 200, 64}, [3]int{3, 700, 64})
		}
		for _, w := range words {
			e, err := reedsolomon.New(w[0], w[1], c.option)
			if err != nil {
				t.Fatal(err)
			}
			shards := append(fill(w[0], w[2]), make([][]byte, w[1])...)
			for i := range w[1] {
				shards[w[0]+i] = make([]byte, w[2])
			}
			if err := e.Encode(shards); err != nil {
				t.Fatal(err)
			}
			sum := fnv.New64a()
			for _, s := range shards[w[0]:] {
				_, _ = sum.Write(s)
			}
			fmt.Fprintf(&b, "%v %d %d %d %016x\n", c.code, w[0], w[1], w[2], sum.Sum64())
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Fatalf("%s differs from\n%s", file, b.String())
	}
}
