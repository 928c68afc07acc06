package rs

import (
	"context"
	"fmt"
)

// Incremental makes parity from shards of data that arrive one by one. Shards need not stay: what it keeps beside the
// parity is as many shards as there is parity, rounded up to a power of two, in additive codes, and nothing in others.
// It is not safe for concurrent use.
type Incremental struct {
	plan   *Plan
	shards [][]byte // nil data, and parity
	fresh  [][]byte // that wait
	added  []bool
	size   int
	room   []byte // of the shards that wait
	first  int    // shard of data whose copy is the first of room
}

// Incremental begins with shards of parity of one length, which it sets to 0, and which change until Finish. The errors
// are those of Encode.
func (p *Plan) Incremental(parity [][]byte) (*Incremental, error) {
	if err := p.made(context.Background()); err != nil {
		return nil, err
	}
	if len(parity) != p.parity {
		return nil, fmt.Errorf("rs: %w: %d of parity, want %d", ErrShards, len(parity), p.parity)
	}
	e := &Incremental{plan: p, shards: make([][]byte, p.data+p.parity), fresh: make([][]byte, p.data),
		added: make([]bool, p.data)}
	for i, s := range parity {
		if err := p.sized(p.data+i, len(s), &e.size); err != nil {
			return nil, err
		}
		e.shards[p.data+i] = s
	}
	for _, s := range parity {
		clear(s)
	}
	if p.code >= Leopard8 && p.parity > 0 {
		e.room = make([]byte, min(rounded(p.parity), p.data)*e.size)
	}
	return e, nil
}

// Add takes shard i of data, in any order; in that of i it takes least time. A shard that is added twice is
// field.ErrSpec. After an ended context the parity holds anything, and the encoder is of no more use.
func (e *Incremental) Add(ctx context.Context, i int, shard []byte) error {
	if e == nil || e.plan == nil {
		return errSpec("the encoder is nil or the zero value")
	}
	p := e.plan
	if err := p.made(ctx); err != nil {
		return err
	}
	if i < 0 || i >= p.data {
		return fmt.Errorf("rs: %w: %d of data, want one of %d", ErrShards, i, p.data)
	}
	if e.added[i] {
		return errSpec("shard %d is added twice", i)
	}
	size := e.size
	if err := p.sized(i, len(shard), &size); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	e.added[i] = true
	if p.parity == 0 {
		return nil
	}
	if e.room == nil {
		e.fresh[i] = shard
		return e.flush(ctx)
	}
	// Shards wait for those with which they are transformed.
	block := len(e.room) / e.size
	if first := i / block * block; first != e.first {
		if err := e.flush(ctx); err != nil {
			return err
		}
		e.first = first
	}
	at := (i - e.first) * e.size
	e.fresh[i] = e.room[at : at+e.size]
	copy(e.fresh[i], shard)
	return nil
}

// flush adds to the parity what waits.
func (e *Incremental) flush(ctx context.Context) error {
	_, err := e.plan.run(job{ctx: ctx, shards: e.shards, fresh: e.fresh, size: e.size, sink: add})
	clear(e.fresh)
	return err
}

// Finish makes the parity that of the shards that were added; those that were not count as zeros. More may be added
// then, before the next Finish.
func (e *Incremental) Finish(ctx context.Context) error {
	if e == nil || e.plan == nil {
		return errSpec("the encoder is nil or the zero value")
	}
	if err := e.plan.made(ctx); err != nil {
		return err
	}
	if e.plan.parity == 0 {
		return nil
	}
	return e.flush(ctx)
}
