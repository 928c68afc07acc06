package main

import (
	"cmp"
	"unsafe"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// The additive FFT of the thesis over GF(2^64), chapters 3 and 7: of 2^m coefficients, by way of polynomials each half
// as long, to values over s + ⟨b₁, …, b_m⟩. Every phase is a kernel of its own, and a pass over all data.

const (
	chunkBits  = 5 // log2 of the elements of a chunk
	chunkWords = 64
	wordsBytes = 4
)

// level is where the polynomials are of 2^log coefficients.
type level struct {
	log              int
	powers, inverses uint64 // tables of β^i and β^−i, i < 2^log; repeated where that is less than a chunk
	values           uint64 // of s/β + ⟨bⱼ/β⟩, half as many; behind as many zeros in less than a chunk
}

// transform is one of 2^m points with its tables.
type transform struct {
	s                *session
	m                int
	levels           []level
	linear, unlinear uint64 // the chunks of the last level
	tables           *device.Memory
	data, other      *device.Memory // in chunks, and room for shuffles
	natural          *device.Memory
}

// chunk is 32 elements as rows.
func chunk(of func(i int) uint64) []uint32 {
	rows := make([]uint32, chunkWords)
	for i := range 1 << chunkBits {
		e := of(i)
		for r := range rows {
			rows[r] |= uint32(e>>r&1) << i
		}
	}
	return rows
}

func chunksOf(log int) int { return 1 << max(0, log-chunkBits) }

// newTransform makes the tables on the device: their first chunks come from the host, and double there.
func newTransform(s *session, m int, basis []uint64, shift uint64) (t *transform, err error) {
	f, err := binary.New[uint64](64)
	if err != nil {
		return nil, err
	}
	mul := func(a, b uint64) uint64 { f.Mul(&a, &a, &b); return a }
	t = &transform{s: s, m: m}
	all := 2
	for log := m; log >= 2; log-- {
		all += 2*chunksOf(log) + chunksOf(log-1)
	}
	if t.tables, err = s.d.Make(wordsBytes * chunkWords * all); err != nil {
		return nil, err
	}
	at := t.tables.At
	// extended puts a table of 2^log elements at the next place: a first chunk, and how it goes on for each bit of the
	// index above.
	extended := func(first []uint32, log int, add uint64, by func(bit int) uint64) (place uint64) {
		place = at
		at += wordsBytes * chunkWords * uint64(chunksOf(log))
		err = cmp.Or(err, s.d.CopyIn(place, unsafe.Pointer(&first[0]), wordsBytes*chunkWords))
		for bit := chunkBits; bit < log && err == nil; bit++ {
			e := by(bit)
			var c *device.Memory
			if c, err = s.put(chunk(func(int) uint64 { return e }), chunkWords); err != nil {
				return
			}
			half := 1 << (bit - chunkBits)
			var k call
			if k, err = s.launch(warps("fft_extend", half), place, uint64(half), c.At, add); err == nil {
				err = cmp.Or(k(), s.d.Stream().Wait(), c.Release())
			}
		}
		return place
	}
	powers := func(x uint64, log int) uint64 {
		list := make([]uint64, 1<<chunkBits)
		for i, p := 0, uint64(1); i < len(list); i++ {
			if i>>log<<log == i {
				p = 1
			}
			list[i], p = p, mul(p, x)
		}
		squares := []uint64{x} // x^(2^k)
		for range log {
			x = mul(x, x)
			squares = append(squares, x)
		}
		first := chunk(func(i int) uint64 { return list[i] })
		return extended(first, log, 0, func(bit int) uint64 { return squares[bit] })
	}
	b := append([]uint64(nil), basis...)
	for log := m; log >= 2; log-- {
		beta, inverse := b[log-1], b[log-1]
		if err := f.Inv(&inverse, &inverse); err != nil {
			return nil, err
		}
		l := level{log: log, powers: powers(beta, log), inverses: powers(inverse, log)}
		gamma := make([]uint64, log-1)
		for j := range gamma {
			gamma[j] = mul(b[j], inverse)
		}
		shifted := mul(shift, inverse)
		value := func(i int) (g uint64) {
			g = shifted
			for j := range gamma {
				g ^= gamma[j] & -(uint64(i) >> j & 1)
			}
			return g
		}
		half := 1 << (log - 1)
		first := value
		if log-1 < chunkBits {
			first = func(i int) uint64 {
				if i&half == 0 {
					return 0
				}
				return value(i & (half - 1))
			}
		}
		l.values = extended(chunk(first), log-1, 1, func(bit int) uint64 { return gamma[bit] })
		t.levels = append(t.levels, l)
		for j := range gamma {
			b[j] = mul(gamma[j], gamma[j]) ^ gamma[j]
		}
		shift = mul(shifted, shifted) ^ shifted
	}
	inverse := b[0]
	err = cmp.Or(err, f.Inv(&inverse, &inverse))
	pair := func(x, y uint64) []uint32 {
		return chunk(func(i int) uint64 { return []uint64{x, y}[i&1] })
	}
	t.linear = extended(pair(shift, shift^b[0]), chunkBits, 0, nil)
	t.unlinear = extended(pair(mul(shift, inverse), inverse), chunkBits, 0, nil)
	bytes := 8 << m
	for _, of := range []**device.Memory{&t.data, &t.other, &t.natural} {
		if err == nil {
			*of, err = s.d.Make(bytes)
		}
	}
	return t, err
}

func (t *transform) release() error { return release(t.tables, t.data, t.other, t.natural) }

// warps is a kernel with a warp for each of n things, each one with a thread.
func warps(name string, n int) kernel { return each(name, 32*n) }
func each(name string, n int) kernel  { return kernel{name, (n + 255) / 256, 256, 0} }

// clock adds what phases take, where it is not nil.
type clock map[string]float64

func (t *transform) phase(c clock, name string, k kernel, args ...uint64) error {
	s := t.s
	run, err := s.launch(k, args...)
	if err != nil {
		return err
	}
	if c == nil {
		return run()
	}
	err = cmp.Or(s.start.Record(s.d.Stream()), run(), s.end.Record(s.d.Stream()), s.d.Stream().Wait())
	if err == nil {
		var ms float64
		ms, err = driver.Milliseconds(s.start, s.end)
		c[name] += ms
	}
	return err
}

// split is the phases of a level before the one below, or after it where back is 1.
func (t *transform) split(c clock, l level, back uint64) error {
	words, chunks := uint64(chunkWords)<<(t.m-chunkBits), 1<<(t.m-chunkBits)
	of, short := chunksOf(l.log), uint64(min(32, 1<<l.log))
	shift := func() error {
		table := l.powers
		if back == 1 {
			table = l.inverses
		}
		return t.phase(c, "shift", warps("fft_shift", chunks), t.data.At, table, uint64(chunks), uint64(of-1))
	}
	var taylor []func() error
	for q := of / 4; q > 0; q /= 2 {
		taylor = append(taylor, func() error {
			return t.phase(c, "taylor 1", each("fft_taylor1", int(words/4)), t.data.At, words, uint64(q), back)
		})
	}
	if of > 1 {
		taylor = append(taylor, func() error {
			return t.phase(c, "taylor 2", each("fft_taylor2", int(words/2)), t.data.At, words, back)
		})
	}
	taylor = append(taylor, func() error {
		return t.phase(c, "taylor 3", each("fft_taylor3", int(words)), t.data.At, words, short, back)
	})
	shuffle := []func() error{func() error {
		return t.phase(c, "shuffle 1", each("fft_shuffle1", int(words)), t.data.At, words, short, back)
	}}
	if of > 1 {
		shuffle = append(shuffle, func() error {
			return t.phase(c, "shuffle 2", each("fft_shuffle2", int(words/2)), t.data.At, words)
		})
	}
	if of > 2 {
		shuffle = append(shuffle, func() error {
			t.data, t.other = t.other, t.data
			return t.phase(c, "shuffle 3", each("fft_shuffle3", int(words)), t.data.At, t.other.At, words,
				uint64(l.log-chunkBits), back)
		})
	}
	all := append(append([]func() error{shift}, taylor...), shuffle...)
	for i := range all {
		if back == 1 {
			i = len(all) - 1 - i
		}
		if err := all[i](); err != nil {
			return err
		}
	}
	return nil
}

// merge is the last phase of a level, or the first of it.
func (t *transform) merge(c clock, l level, back uint64) error {
	chunks := 1 << (t.m - chunkBits)
	if l.log > chunkBits {
		return t.phase(c, "merge 1", warps("fft_merge1", chunks/2), t.data.At, l.values, uint64(chunks),
			uint64(chunksOf(l.log-1)), back)
	}
	return t.phase(c, "merge 2", warps("fft_merge2", chunks), t.data.At, l.values, uint64(chunks), 1<<(l.log-1), back)
}

// run transforms what is in natural, in place: chunks, all phases, and back.
func (t *transform) run(c clock, inverse bool) error {
	n, chunks := 1<<t.m, 1<<(t.m-chunkBits)
	if err := t.phase(c, "setup", warps("slice", chunks), t.data.At, t.natural.At, 64, uint64(n), 2); err != nil {
		return err
	}
	linear := func(table, back uint64) error {
		return t.phase(c, "linear", warps("fft_linear", chunks), t.data.At, table, uint64(chunks), back)
	}
	var err error
	if !inverse {
		for _, l := range t.levels {
			err = cmp.Or(err, t.split(c, l, 0))
		}
		err = cmp.Or(err, linear(t.linear, 0))
		for i := range t.levels {
			err = cmp.Or(err, t.merge(c, t.levels[len(t.levels)-1-i], 0))
		}
	} else {
		for _, l := range t.levels {
			err = cmp.Or(err, t.merge(c, l, 1))
		}
		err = cmp.Or(err, linear(t.unlinear, 1))
		for i := range t.levels {
			err = cmp.Or(err, t.split(c, t.levels[len(t.levels)-1-i], 1))
		}
	}
	return cmp.Or(err, t.phase(c, "back", each("unslice", n), t.natural.At, t.data.At, 64, uint64(n), 2))
}

// phases are in the order of a transform.
var phases = []string{"setup", "shift", "taylor 1", "taylor 2", "taylor 3", "shuffle 1", "shuffle 2", "shuffle 3",
	"linear", "merge 1", "merge 2", "back"}
