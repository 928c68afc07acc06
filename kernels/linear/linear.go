// Package linear has kernels for sums of linear maps of bytes, as products by constants of GF(2^8) are, whatever its
// polynomial: rows of results from rows of inputs.
//
// Kernels are written by kernels/_gen. That in Go defines what others do: all have the same bytes.
package linear

import "unsafe"

const (
	Outputs = 4  // rows of results that a kernel makes at most
	Step    = 64 // bytes: rows have a multiple of it

	tableSize = 32 // bytes of a map in Go
)

// Sums makes rows of sums: see Set.
type Sums func(z, x **byte, count int, m *byte, n int)

// Set is the kernels of a tier. They trust what they get.
type Set struct {
	// Form is the instructions in words.
	Form string
	// Size is the bytes of a map, and Prepare sets z to the one that sends bit j to images[j].
	Size    int
	Prepare func(z []byte, images [8]byte)
	// Sums[r−1] sets row j of z to the sum of the maps (i, j) of rows i of x, for j < r and i < count. Rows have n
	// bytes, a multiple of Step; n and count are above 0. m has the maps, in the order (0, 0), (0, 1), …. Rows of z
	// overlap no others.
	Sums [Outputs]Sums
	// Stream[r−1] is Sums[r−1] whose results go around the caches. Rows of z begin at multiples of 64.
	Stream [Outputs]Sums
	// Symbols is the kernels for layers of transforms, of symbols of one byte and of two.
	Symbols [2]Symbols
	// Gather adds to each of count rows from first on the rows whose index has one more bit, of all rows, a power of
	// two: row i + 2^k for the bits k that i has not. Rows have n bytes, a multiple of Step, and lie stride bytes apart
	// from v on.
	Gather func(v *byte, stride, first, count, rows, n int)
}

// Generic is the kernels in Go, with a table for each half of a byte.
var Generic = Set{
	Form: "Go", Size: tableSize, Prepare: tables,
	Sums:    [Outputs]Sums{sums(1), sums(2), sums(3), sums(4)},
	Stream:  [Outputs]Sums{sums(1), sums(2), sums(3), sums(4)},
	Symbols: [2]Symbols{symbolsInGo(1), symbolsInGo(2)}, Gather: gather,
}

// Active returns the kernels of the tier that runs.
func Active() *Set { return active() }

// tables has the sums of images for the low and the high half of a byte.
func tables(z []byte, images [8]byte) {
	clear(z[:32])
	for i := range 16 {
		for j := range 4 {
			if i>>j&1 != 0 {
				z[i] ^= images[j]
				z[16+i] ^= images[4+j]
			}
		}
	}
}

func sums(outputs int) Sums {
	return func(z, x **byte, count int, m *byte, n int) {
		all := unsafe.Slice(m, 32*outputs*count)
		for j, to := range unsafe.Slice(z, outputs) {
			row := unsafe.Slice(to, n)
			clear(row)
			for i, from := range unsafe.Slice(x, count) {
				at := 32 * (i*outputs + j)
				low, high := (*[16]byte)(all[at:]), (*[16]byte)(all[at+16:])
				for k, b := range unsafe.Slice(from, n) {
					row[k] ^= low[b&15] ^ high[b>>4]
				}
			}
		}
	}
}
