package rs_test

import (
	"context"
	"fmt"

	"github.com/galfft/fft/rs"
)

// Two shards of parity make up for any two that are lost.
func Example() {
	ctx := context.Background()
	p, err := rs.New(3, 2)
	if err != nil {
		panic(err)
	}
	shards := [][]byte{[]byte("Reed"), []byte("-So-"), []byte("lomo"), make([]byte, 4), make([]byte, 4)}
	if err := p.Encode(ctx, shards); err != nil {
		panic(err)
	}
	shards[0], shards[2] = nil, nil
	if err := p.Reconstruct(ctx, shards); err != nil {
		panic(err)
	}
	fmt.Printf("%v: %s %s %s\n", p.Code(), shards[0], shards[1], shards[2])
	// Output: vandermonde: Reed -So- lomo
}

// Parity is made while data arrives, which need not stay.
func ExamplePlan_Incremental() {
	ctx := context.Background()
	p, err := rs.New(3, 2, rs.WithCode(rs.Leopard16))
	if err != nil {
		panic(err)
	}
	parity := [][]byte{make([]byte, 4), make([]byte, 4)}
	e, err := p.Incremental(parity)
	if err != nil {
		panic(err)
	}
	data := [][]byte{[]byte("some"), []byte("more"), []byte("last")}
	for i, shard := range data {
		if err := e.Add(ctx, i, shard); err != nil {
			panic(err)
		}
	}
	if err := e.Finish(ctx); err != nil {
		panic(err)
	}
	ok, err := p.Verify(ctx, append(data, parity...))
	fmt.Println(ok, err)
	// Output: true <nil>
}
