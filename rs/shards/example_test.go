package shards_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/galfft/fft/rs/shards"
)

// A stream is encoded as it comes, and made whole again though files are lost.
func Example() {
	ctx := context.Background()
	parent, err := os.MkdirTemp("", "shards")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "poem.shards")
	if err := shards.Encode(ctx, strings.NewReader("Eppur si muove"), dir, 3, 2); err != nil {
		panic(err)
	}
	for _, name := range []string{"000.shard", "002.shard"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			panic(err)
		}
	}
	set, err := shards.Open(ctx, []string{dir})
	if err != nil {
		panic(err)
	}
	report, err := set.Repair(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.State)
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	var text bytes.Buffer
	if err := set.Copy(ctx, &text); err != nil {
		panic(err)
	}
	fmt.Println(&text)
	// Output:
	// repairable
	// 000.shard: shard 0: missing
	// 002.shard: shard 2: missing
	// Eppur si muove
}
