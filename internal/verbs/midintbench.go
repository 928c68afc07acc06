package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/midint"
)

// BenchIntegers times each operation of package midint on n integers of so many bits, for at least so long and three
// times, and writes a line for each. Errors are field.ErrSpec for less than one worker, more than MaxWorkers and no
// time, and those of package midint.
func BenchIntegers(ctx context.Context, w io.Writer, b Backend, bits, n, workers int, least time.Duration) (err error) {
	if err := sampling(workers, 0, least); err != nil {
		return err
	}
	var batches [4]*midint.Batch // x, y, and results of either width
	for i := range batches {
		if batches[i], err = midint.NewBatch(bits*(1+i/3), n); err != nil {
			return err
		}
	}
	x, y, z, wide := batches[0], batches[1], batches[2], batches[3]
	var engines [2]*midint.Engine // of sums and products
	var devices [2]string
	for i := range engines {
		e, device, done, err := integersAt(b, workers, len(x.Words()), i == 1)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, done()) }()
		engines[i], devices[i] = e, device
	}
	sums, products := engines[0], engines[1]
	r := rand.New(rand.NewPCG(1, uint64(bits)))
	const look = 1 << 16 // words between two looks at the context
	for i := range x.Words() {
		if i%look == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.Words()[i], y.Words()[i] = r.Uint32(), r.Uint32()
	}
	for i, o := range []struct {
		name string
		run  func() error
	}{
		{"add", func() error { return sums.Add(ctx, z, x, y) }},
		{"sixadd", func() error { return sums.SixAdd(ctx, z, x, y) }},
		{"mullow", func() error { return products.MulLow(ctx, z, x, y) }},
		{"mulwide", func() error { return products.MulWide(ctx, wide, x, y) }},
		{"sqr", func() error { return products.Sqr(ctx, wide, x) }},
	} {
		line := struct {
			Op        string  `json:"op"`
			Bits      int     `json:"bits"`
			Batch     int     `json:"batch"`
			Device    string  `json:"device"`
			Residency string  `json:"residency"`
			Workers   int     `json:"workers"`
			Tier      string  `json:"tier,omitempty"`
			NsMin     float64 `json:"ns_min"` // of the batch
			NsMedian  float64 `json:"ns_median"`
			Reps      int     `json:"reps"`
			Commit    string  `json:"commit"`
			Date      string  `json:"date"`
		}{Op: o.name, Bits: bits, Batch: n, Device: benchjson.CPU(), Residency: "host", Workers: workers,
			Tier: cpu.Active().String(), Commit: benchjson.Commit(), Date: benchjson.Now()}
		if device := devices[min(i/2, 1)]; device != "" {
			line.Device, line.Tier = device, ""
		}
		if err := o.run(); err != nil {
			return err
		}
		var times benchjson.Samples
		for begin := time.Now(); len(times) < 3 || time.Since(begin) < least; {
			start := time.Now()
			if err := o.run(); err != nil {
				return err
			}
			times = append(times, benchjson.Sample{Ops: 1, Ns: float64(time.Since(start))})
		}
		line.NsMin, line.NsMedian, line.Reps = times.Min(), times.Median(), len(times)
		if err := errors.Join(json.NewEncoder(w).Encode(line), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
