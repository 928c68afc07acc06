package rs

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/kernels/linear"
)

// folding is what makes shards of symbols of one byte or two short before they are combined.
type folding struct {
	set  *linear.Set
	unit int                           // bytes of a symbol
	of   func(z []byte, x gf2.Element) // sets z to the constant of x, of unit² maps
	// enter sets z to the symbols of a sum of foldSum bytes, as the field has them.
	enter func(z, sum []byte)
}

// foldBytes of a shard are cut into pieces, of which there are sums with missed bits of random factors. Kernels take
// pieces as rows, and one makes linear.Outputs maps of them: one for each byte of a symbol and of a sum.
const (
	foldBytes  = combineBytes
	foldPieces = foldBytes / linear.Step
	foldSum    = missed / 8 * linear.Step // bytes of all sums, at most
)

// folder folds shards for one call, with factors that are new for each part of them.
type folder struct {
	*folding
	maps  [2][]byte // of a kernel each
	from  [foldPieces]*byte
	to    [linear.Outputs]*byte
	rows  [2][linear.Outputs][linear.Step]byte
	sum   [foldSum]byte
	tiles [foldSum]byte
}

func (f *folding) folder() *folder {
	z := &folder{folding: f}
	for k := range f.unit {
		z.maps[k] = make([]byte, foldPieces*linear.Outputs*f.set.Size)
	}
	return z
}

// draw takes new factors.
func (f *folder) draw(random *rand.ChaCha8) {
	size := f.unit * f.unit * f.set.Size
	for k := range f.unit {
		for at := 0; at < len(f.maps[k]); at += size {
			f.of(f.maps[k][at:], gf2.Element{random.Uint64() >> (64 - 8*f.unit)})
		}
	}
}

// run returns the symbols of all sums of a part of a shard, which stay until the next call.
func (f *folder) run(part []byte) []byte {
	for i := range f.from {
		f.from[i] = &part[i*linear.Step]
	}
	for k := range f.unit {
		for j := range f.to {
			f.to[j] = &f.rows[k][j][0]
		}
		f.set.Sums[linear.Outputs-1](&f.to[0], &f.from[0], foldPieces, &f.maps[k][0], linear.Step)
	}
	n := foldSum / f.unit
	if f.unit == 1 {
		for j := range f.rows[0] {
			copy(f.sum[j*linear.Step:], f.rows[0][j][:])
		}
	} else {
		f.meet()
	}
	f.enter(f.tiles[:n], f.sum[:n])
	return f.tiles[:n]
}

// meet makes two planes of 64 symbols, 32 of each sum. Pieces have low bytes in their first halves and high bytes in
// their second ones, and maps are those from low bytes to low and to high ones, and then from high bytes.
func (f *folder) meet() {
	const half = linear.Step / 2
	for k := range f.rows {
		for out := range 2 {
			low, high, z := f.rows[k][out][:half], f.rows[k][2+out][half:], f.sum[out*gf2.Lanes+k*half:]
			for i := 0; i < half; i += 8 {
				binary.LittleEndian.PutUint64(z[i:],
					binary.LittleEndian.Uint64(low[i:])^binary.LittleEndian.Uint64(high[i:]))
			}
		}
	}
}
