package rs

import (
	"bytes"
	"crypto/subtle"
	"sync/atomic"
)

// matrix is the engine of codes of at most 256 shards: symbol i is multipliers[i] times the value at points[i] of one
// polynomial of degree below data. What is missing is interpolated from as many symbols as there is data.
type matrix struct {
	data, parity        int
	points, multipliers []byte
	encoder             []byte // parity × data factors
	rooms               pool[room]
}

// room is what a strip needs beside the shards.
type room struct {
	from  [][]byte
	bytes [matrixStrip]byte
}

// solution is what a rebuild needs for all strips.
type solution struct {
	factors []byte   // of matrix: lost × data
	weights []byte   // of matrix
	locator *locator // of additive
}

// matrixStrip bytes of the shards of short codes stay in the innermost cache.
const matrixStrip = 1 << 11

func newMatrix(c Code, data, parity int) *matrix {
	n := data + parity
	m := &matrix{data: data, parity: parity, points: make([]byte, n), multipliers: make([]byte, n),
		encoder: make([]byte, parity*data)}
	for i := range n {
		m.points[i], m.multipliers[i] = byte(i), 1
		if c == Zfec && i > 0 {
			m.points[i] = powers[i-1]
		}
	}
	if c == Cauchy {
		// These make every factor of parity i from data j 1/(points[i] + points[j]).
		for i := range n {
			product := byte(1)
			for j := range data {
				if j != i {
					product = times(product, m.points[i]^m.points[j])
				}
			}
			m.multipliers[i] = over(1, product)
		}
	}
	have := make([]int, data)
	for i := range have {
		have[i] = i
	}
	weights := m.weights(nil, have)
	for i := range parity {
		m.interpolate(m.encoder[i*data:(i+1)*data], data+i, have, weights)
	}
	return m
}

// weights appends to z, for each j of have, 1 over multipliers[j] times the product of points[j] − points[l] for the
// other l of have.
func (m *matrix) weights(z []byte, have []int) []byte {
	for _, j := range have {
		product := m.multipliers[j]
		for _, l := range have {
			if l != j {
				product = times(product, m.points[j]^m.points[l])
			}
		}
		z = append(z, over(1, product))
	}
	return z
}

// interpolate sets z to the factors by which symbols of have make symbol i, which is none of them.
func (m *matrix) interpolate(z []byte, i int, have []int, weights []byte) {
	product := m.multipliers[i]
	for _, l := range have {
		product = times(product, m.points[i]^m.points[l])
	}
	for k, j := range have {
		z[k] = times(over(product, m.points[i]^m.points[j]), weights[k])
	}
}

func (m *matrix) strip() int { return matrixStrip }

func (m *matrix) encode(j *job, from, to int) {
	r := m.rooms.get()
	defer m.rooms.put(r)
	if j.fresh != nil {
		m.update(j, r, from, to)
		return
	}
	r.of(j.shards[:m.data], from, to)
	for i, s := range j.shards[m.data:] {
		z, factors := s[from:to], m.encoder[i*m.data:(i+1)*m.data]
		if j.sink == write {
			sums(z, r.from, factors)
			continue
		}
		sum := r.bytes[:to-from]
		if sums(sum, r.from, factors); !bytes.Equal(sum, z) {
			atomic.StoreUint32(&j.differs, 1)
			return
		}
	}
}

// update adds what data that is fresh changes.
func (m *matrix) update(j *job, r *room, from, to int) {
	for k, fresh := range j.fresh {
		if len(fresh) == 0 {
			continue
		}
		change := r.bytes[:to-from]
		copy(change, fresh[from:to])
		if old := j.shards[k]; len(old) > 0 { // none stands for zeros
			xor(change, old[from:to])
		}
		for i, s := range j.shards[m.data:] {
			addTimes(s[from:to], change, m.encoder[i*m.data+k])
		}
	}
}

// of sets r.from to bytes of shards.
func (r *room) of(shards [][]byte, from, to int) {
	r.from = r.from[:0]
	for _, s := range shards {
		r.from = append(r.from, s[from:to])
	}
}

func (m *matrix) prepare(r *rebuild) {
	r.have = r.have[:m.data]
	r.weights = m.weights(r.weights[:0], r.have)
	n := len(r.lost) * m.data
	if cap(r.factors) < n {
		r.factors = make([]byte, n)
	}
	r.factors = r.factors[:n]
	for k, i := range r.lost {
		m.interpolate(r.factors[k*m.data:(k+1)*m.data], i, r.have, r.weights)
	}
}

func (m *matrix) rebuild(j *job, from, to int) {
	r := m.rooms.get()
	defer m.rooms.put(r)
	r.from = r.from[:0]
	for _, i := range j.have {
		r.from = append(r.from, j.shards[i][from:to])
	}
	for k, z := range j.made {
		sums(z[from:to], r.from, j.factors[k*m.data:(k+1)*m.data])
	}
}

// sums sets z to the sum of the products of x and factors.
func sums(z []byte, x [][]byte, factors []byte) {
	clear(z)
	for i, f := range factors {
		addTimes(z, x[i], f)
	}
}

func addTimes(z, x []byte, factor byte) {
	table := &products[factor]
	for i, b := range x[:len(z)] {
		z[i] ^= table[b]
	}
}

func xor(z, x []byte) { subtle.XORBytes(z, z, x) }
