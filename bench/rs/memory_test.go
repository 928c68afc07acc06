package rs

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/galfft/fft/kernels/linear"
)

// BenchmarkStream times sums of 10 rows that are made by way of the caches and around them, in turns and in strips as
// package rs has them, and a reader of the results behind each.
func BenchmarkStream(b *testing.B) {
	heading()
	const data, parity, strip = 10, linear.Outputs, 25 << 10
	set := linear.Active()
	maps := make([]byte, set.Size*data*parity)
	for i := range data * parity {
		set.Prepare(maps[i*set.Size:], [8]byte{byte(i), 1, 2, 3, 4, 5, 6, 7})
	}
	for size := 32 << 10; size <= 8<<20; size *= 2 {
		b.Run(fmt.Sprintf("%d+%d×%d", data, parity, size), func(b *testing.B) {
			rows, l, reads := fill(data+parity, size), make(least, 2), make(least, 2)
			var pointers [data + parity]*byte
			for b.Loop() {
				for k, kernels := range [][linear.Outputs]linear.Sums{set.Stream, set.Sums} {
					for range 3 { // what the turn before left in the caches is not what this one leaves there
						l.of(b, k, func() error {
							for from := 0; from < size; from += strip {
								for i, row := range rows {
									pointers[i] = &row[from]
								}
								kernels[parity-1](&pointers[data], &pointers[0], data, &maps[0], min(strip, size-from))
							}
							return nil
						})
					}
					reads.of(b, k, func() error {
						for _, row := range rows[data:] {
							read ^= crc32.Checksum(row, castagnoli)
						}
						return nil
					})
				}
			}
			reads.report(b, "read-behind-stream", "read")
			l.report(b, "stream", "caches")
		})
	}
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	read       uint32
)

// BenchmarkCopy times copies of the data of words to rows that lie like their parity: row by row, and by columns of
// 1 KiB, which is the order in which shards are read and written. No code takes less than the bytes that it moves.
func BenchmarkCopy(b *testing.B) {
	heading()
	const column = 1 << 10
	for _, w := range words {
		b.Run(w.String(), func(b *testing.B) {
			shards, l := w.shards(), make(least, 2)
			count := min(w.data, w.parity)
			for b.Loop() {
				for k, width := range []int{w.size, column} {
					l.of(b, k, func() error {
						for from := 0; from < w.size; from += width {
							for i := range count {
								copy(shards[w.data+i][from:min(w.size, from+width)], shards[i][from:])
							}
						}
						return nil
					})
				}
			}
			for k, name := range []string{"rows-GB/s", "columns-GB/s"} {
				b.ReportMetric(float64(2*count*w.size)/float64(l[k]), name)
			}
			l.report(b, "rows", "columns")
		})
	}
}
