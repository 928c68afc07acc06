package bigprime

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// work is the operands of a step.
type work struct {
	ctx     context.Context
	z, x, y *vec
	words   []uint64 // packed elements
}

// job is one step of a product on several workers. It is pooled, so that the closure loop is made once.
type job struct {
	c *through
	work
	items int
	do    func(j *job, i int) error
	next  atomic.Int64
	loop  func(int) // does items until none is left
	mu    sync.Mutex
	err   error // the first
}

func newJob(c *through) *job {
	j := &job{c: c}
	j.loop = func(int) {
		for {
			i := int(j.next.Add(1)) - 1
			if i >= j.items {
				return
			}
			if err := j.do(j, i); err != nil {
				j.next.Store(int64(j.items))
				j.mu.Lock()
				if j.err == nil {
					j.err = err
				}
				j.mu.Unlock()
			}
		}
	}
	return j
}

// share is the items of a step, and how many workers share them.
type share struct{ items, tasks int }

// primes is a step that has an item for each prime: a transform, or less.
func (c *through) primes(across bool) share {
	k := len(c.images)
	if !across {
		return share{k, 1}
	}
	return share{k, c.tasks(k*c.n, float64(bits.Len(uint(c.n)))/8)}
}

// tasks returns the number of tasks for so many words, each of which takes so many nanoseconds.
func (c *through) tasks(words int, ns float64) int { return par.Tasks(c.workers, c.grain, words, ns) }

// part is the number of elements of an item of a conversion.
func (c *through) part() int { return max(1, 1<<12/(c.f.w*rns.Block)) * rns.Block }

// parts is a step that has an item for each part of n elements.
func (c *through) parts(n int) share {
	return share{(n + c.part() - 1) / c.part(), c.tasks(n*len(c.images), float64(c.f.w+4)/8)}
}

func (c *through) run(w work, s share, do func(j *job, i int) error) (err error) {
	j := c.jobs.Get().(*job)
	j.work, j.items, j.do = w, s.items, do
	if s.tasks == 1 {
		for i := 0; i < s.items && err == nil; i++ {
			err = do(j, i)
		}
	} else {
		j.next.Store(0)
		c.runner.Run(min(s.tasks, s.items), j.loop)
		err = j.err
	}
	j.work, j.err = work{}, nil
	c.jobs.Put(j)
	return err
}

func (j *job) forward(i int) error {
	row := j.x.rows[i][:j.c.n]
	return j.c.images[i].t.Forward(j.ctx, row, row)
}

func (j *job) inverse(i int) error {
	row := j.x.rows[i][:j.c.n]
	return j.c.images[i].t.Inverse(j.ctx, row, row)
}

func (j *job) product(i int) error {
	n := j.c.n
	j.c.images[i].f.MulVec(j.z.rows[i][:n], j.x.rows[i][:n], j.y.rows[i][:n])
	return nil
}

// words returns the words of part i of the elements, and the place of the first.
func (j *job) part(i int) (words []uint64, from int) {
	w, n := j.c.f.w, j.c.part()
	from = i * n
	return j.words[from*w : min((from+n)*w, len(j.words))], from
}

func (j *job) load(i int) error {
	a, from := j.part(i)
	c := j.c
	if c.project != nil {
		r := c.rooms.Get().(*room)
		c.project.Project(r.project, j.x.rows, from, a, c.f.n.BitLen())
		c.rooms.Put(r)
		return nil
	}
	w := c.f.w
	for i := range c.images {
		b := &c.images[i]
		row := j.x.rows[i][from:]
		for t := range len(a) / w {
			row[t] = residues.Residue(b.m, &b.powers, a[t*w:][:w])
		}
	}
	return nil
}

func (j *job) store(i int) error {
	a, from := j.part(i)
	r := j.c.rooms.Get().(*room)
	j.c.combine.Combine(r.combine, a, j.x.rows, from)
	j.c.rooms.Put(r)
	return nil
}
