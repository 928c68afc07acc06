package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft/bench/registercache/forms"
	"github.com/galfft/fft/internal/device"
)

// exchanges are what package exchange makes of the tables of reads: it needs no device.
func exchanges(s *session) error {
	all, err := forms.All()
	for _, f := range all {
		c := f.Plan.Counts()
		err = cmp.Or(err, s.print(line{Form: f.Name, N: len(f.Plan.Steps), Reads: c.Reads, Shuffles: c.Shuffles,
			Own: c.Own, Conflicts: c.Conflicts, Selects: c.Selects, Slots: f.Plan.Slots}))
	}
	return err
}

const stencilThreads = 256

// stencilKernel has blocks for n outputs, m of a thread.
func stencilKernel(form string, k, m, n int) kernel {
	each := stencilThreads * m
	c := kernel{fmt.Sprintf("stencil_%s_%d_%d", form, k, m), (n + each - 1) / each, stencilThreads, 0}
	if form == "shared" {
		c.shared = 4 * (each + 2*k)
	}
	return c
}

// stencilReads is the words that a block reads of global memory: with the cache each warp has its own ends.
func stencilReads(form string, k, m int) int {
	if form == "shared" {
		return stencilThreads*m + 2*k
	}
	return stencilThreads / 32 * (32*m + 2*k)
}

func stencils(s *session) error {
	r := rand.New(rand.NewPCG(41, 1))
	x := make([]uint32, min(s.values, 1<<20+5)+2*forms.MostStencil)
	for i := range x {
		x[i] = r.Uint32()
	}
	from, err := s.put(x, s.values+2*forms.MostStencil)
	if err != nil {
		return err
	}
	to, err := s.put(make([]uint32, 1), s.values)
	if err != nil {
		return err
	}
	of := stencilData{s, x, make([]uint32, len(x)), from, to}
	err = steps(s, upTo(forms.MostStencil), alike, of.run)
	return cmp.Or(err, release(from, to))
}

// upTo is 1 … n.
func upTo(n int) (list []int) {
	for k := 1; k <= n; k++ {
		list = append(list, k)
	}
	return list
}

// stencilData is a sample, with room for the values of the processor, and what the device has of both.
type stencilData struct {
	s        *session
	x, want  []uint32 // with x over and over, as the device has it
	from, to *device.Memory
}

func (d *stencilData) run(k int) error {
	s, n, sum := d.s, len(d.x)-2*forms.MostStencil, uint32(0)
	for i := range 2 * k {
		sum += d.x[i]
	}
	for i := range d.want {
		sum += d.x[(i+2*k)%len(d.x)]
		d.want[i] = uint32(int32(sum) / int32(2*k+1))
		sum -= d.x[i]
	}
	for _, m := range []int{1, 2, 4, 8, 16} {
		for _, form := range []string{"shared", "cache"} {
			short := stencilKernel(form, k, m, n)
			c, err := s.launch(short, d.to.At, d.from.At, uint64(n))
			if err != nil {
				return err
			}
			if err := s.compared(c, d.to, d.want[:n]); err != nil {
				return fmt.Errorf("%s: %w", short.name, err)
			}
			long := stencilKernel(form, k, m, s.values)
			if c, err = s.launch(long, d.to.At, d.from.At, uint64(s.values)); err != nil {
				return err
			}
			l := line{Form: form, K: k, Outputs: m, N: s.values, Global: stencilReads(form, k, m)}
			if err := cmp.Or(s.report(l, long, c), s.periodic(d.to, d.want, s.values)); err != nil {
				return fmt.Errorf("%s: %w", long.name, err)
			}
		}
	}
	return nil
}

// compared clears z, runs a call, and compares what it left with what the processor has.
func (s *session) compared(c call, z *device.Memory, want []uint32) error {
	clear := s.d.CopyIn(z.At, unsafe.Pointer(unsafe.SliceData(make([]uint32, len(want)))), 4*len(want))
	if err := cmp.Or(clear, c()); err != nil {
		return err
	}
	got, err := s.get(z, len(want))
	if err != nil {
		return err
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("word %d is %#x, want %#x", i, got[i], want[i])
		}
	}
	return nil
}
