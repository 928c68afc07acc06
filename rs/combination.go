package rs

import (
	"crypto/subtle"
	"unsafe"

	"github.com/galfft/fft/kernels/linear"
)

// combination makes rows of bytes as sums of products of other rows and factors.
type combination struct {
	set             *linear.Set
	inputs, outputs int
	factors         []byte // outputs × inputs
	maps            []byte // the same for kernels: of linear.Outputs rows for all inputs, of the next ones, …
}

// begin makes room for the factors.
func (c *combination) begin(set *linear.Set, inputs, outputs int) {
	c.set, c.inputs, c.outputs = set, inputs, outputs
	c.factors = grown(c.factors, inputs*outputs)
	c.maps = grown(c.maps, inputs*outputs*set.Size)
}

// of is the factors of an output.
func (c *combination) of(output int) []byte { return c.factors[output*c.inputs : (output+1)*c.inputs] }

// group is the maps of outputs from one on, a multiple of linear.Outputs, from an input on, and how many outputs.
func (c *combination) group(output, input int) ([]byte, int) {
	count := min(linear.Outputs, c.outputs-output)
	return c.maps[(output*c.inputs+input*count)*c.set.Size:], count
}

// prepare takes the maps of the factors out of those of all bytes.
func (c *combination) prepare(all []byte) {
	size := c.set.Size
	for o := range c.outputs {
		maps, count := c.group(o&^(linear.Outputs-1), 0)
		for i, f := range c.of(o) {
			copy(maps[(i*count+o%linear.Outputs)*size:][:size], all[int(f)*size:])
		}
	}
}

// run sets bytes from to to of rows z to the sums for x, around the caches where stream is set.
func (c *combination) run(r *room, z, x [][]byte, from, to int, stream bool) {
	for o := 0; o < c.outputs; o += linear.Outputs {
		c.part(r, z[o:min(len(z), o+linear.Outputs)], x, o, from, to, stream)
	}
}

// part is run for outputs from one on, a multiple of linear.Outputs, as many as a kernel makes. What is less than a
// step at an end is made with what is beside it, a second time.
func (c *combination) part(r *room, z, x [][]byte, output, from, to int, stream bool) {
	if to-from < linear.Step {
		for k := range z {
			row := z[k][from:to]
			clear(row)
			for i, f := range c.of(output + k) {
				addTimes(row, x[i][from:to], f)
			}
		}
		return
	}
	kernels, first := &c.set.Sums, from
	if stream {
		if head, ok := beforeLines(z, from); ok {
			kernels, first = &c.set.Stream, from+head
		}
	}
	if first > from {
		c.sums(&c.set.Sums, r, z, x, output, from, from+linear.Step)
	}
	end := first + (to-first)&^(linear.Step-1)
	if end > first {
		c.sums(kernels, r, z, x, output, first, end)
	}
	if end < to {
		c.sums(&c.set.Sums, r, z, x, output, to-linear.Step, to)
	}
}

// sums is part of bytes from to to, which are whole steps.
func (c *combination) sums(kernels *[linear.Outputs]linear.Sums, r *room, z, x [][]byte, output, from, to int) {
	r.point(z, x, from)
	maps, count := c.group(output, 0)
	kernels[count-1](&r.to[0], &r.from[0], c.inputs, &maps[0], to-from)
}

// beforeLines is how many bytes of rows from one on lie before a multiple of linear.Step, if all rows have as many.
func beforeLines(rows [][]byte, from int) (head int, ok bool) {
	for i, row := range rows {
		h := int(-uintptr(unsafe.Pointer(&row[from])) % linear.Step)
		if i > 0 && h != head {
			return 0, false
		}
		head = h
	}
	return head, true
}

// add adds to z what input i alone gives, x.
func (c *combination) add(r *room, z [][]byte, i int, x []byte) {
	n := len(x)
	whole := n &^ (linear.Step - 1)
	for o := 0; o < c.outputs && whole > 0; o += linear.Outputs {
		maps, count := c.group(o, i)
		products := r.products(count, n)
		r.point(products, r.one(x), 0)
		c.set.Sums[count-1](&r.to[0], &r.from[0], 1, &maps[0], whole)
		for j, p := range products {
			xor(z[o+j][:whole], p[:whole])
		}
	}
	for o := range z {
		if whole < n {
			addTimes(z[o][whole:], x[whole:], c.of(o)[i])
		}
	}
}

// room is what a strip needs beside the shards. Nothing of it points to shards between calls.
type room struct {
	in, out  [][]byte
	single   [1][]byte
	from, to []*byte
	bytes    [linear.Outputs + 1][]byte
	sums     [linear.Outputs][]byte
}

// point sets the pointers to byte at of rows.
func (r *room) point(z, x [][]byte, at int) {
	r.to, r.from = r.to[:0], r.from[:0]
	for _, row := range z {
		r.to = append(r.to, &row[at])
	}
	for _, row := range x {
		r.from = append(r.from, &row[at])
	}
}

// products has rows for count results of n bytes.
func (r *room) products(count, n int) [][]byte {
	for i := range count {
		r.bytes[i] = grown(r.bytes[i], n)
		r.sums[i] = r.bytes[i]
	}
	return r.sums[:count]
}

func (r *room) one(x []byte) [][]byte {
	r.single[0] = x
	return r.single[:]
}

// change is a row of n bytes that products leave alone.
func (r *room) change(n int) []byte {
	r.bytes[linear.Outputs] = grown(r.bytes[linear.Outputs], n)
	return r.bytes[linear.Outputs]
}

// forget drops what points to shards.
func (r *room) forget() {
	clear(r.in)
	clear(r.out)
	clear(r.from)
	clear(r.to)
	r.in, r.out, r.from, r.to = r.in[:0], r.out[:0], r.from[:0], r.to[:0]
	r.single[0] = nil
}

// cut sets list to bytes of shards.
func cut(list, shards [][]byte, from, to int) [][]byte {
	list = list[:0]
	for _, s := range shards {
		list = append(list, s[from:to])
	}
	return list
}

func addTimes(z, x []byte, factor byte) {
	table := &products[factor]
	for i, b := range x[:len(z)] {
		z[i] ^= table[b]
	}
}

func xor(z, x []byte) { subtle.XORBytes(z, z, x) }
