package tune_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/tune"
)

// A field of one's own: it could be anything with the eight methods of field.Field and a root.
type own struct{ *smallprime.Field64 }

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, f, file := context.Background(), own{smallprime.P62()}, filepath.Join(dir, "tuning.txt")

	t, err := tune.Measure(ctx, f, tune.Options{Lengths: []int{64, 256}, TimeLimit: time.Minute})
	if err == nil {
		err = t.Save(file)
	}
	if err != nil {
		log.Fatal(err)
	}

	// Any program on this machine; with the file of tune.Path it needs neither line.
	t, err = tune.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	p := fft.Must(fft.NewPlan(f, 256, fft.WithTuning(t)))
	fmt.Println(t.Len(), p.Len())
	// Output: 2 256
}
