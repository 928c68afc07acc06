package rs

import (
	"bytes"
	"sync/atomic"

	"github.com/galfft/fft/kernels/linear"
)

// matrix is the engine of codes of at most 256 shards: symbol i is multipliers[i] times the value at points[i] of one
// polynomial of degree below data. What is missing is interpolated from as many symbols as there is data.
type matrix struct {
	data, parity        int
	width               int // bytes of a row of a strip
	stream              int // bytes of words whose results go around the caches
	points, multipliers []byte
	maps                []byte // of products by each byte
	encoder             combination
	rooms               pool[room]
}

// solution is what a rebuild needs for all strips.
type solution struct {
	combination           // of matrix
	weights      []int    // of matrix
	locator      *locator // of additive
	enter, leave []byte   // of leopard: constants for what is there, and for what is lost
}

// A strip of all data has about matrixBytes, which stay in a cache for the outputs that follow, but a row is no shorter
// than the least and no longer than the most.
const matrixBytes, matrixLeast, matrixMost = 1 << 18, 1 << 10, 1 << 15

func newMatrix(c Code, data, parity int) *matrix {
	n := data + parity
	m := &matrix{data: data, parity: parity, stream: streamBytes, points: make([]byte, n), multipliers: make([]byte, n)}
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
	m.width = min(matrixMost, max(matrixLeast, matrixBytes/data)) &^ (matrixLeast - 1)
	have := make([]int, data)
	for i := range have {
		have[i] = i
	}
	weights := m.weights(nil, have)
	m.maps = byteMaps(linear.Active())
	m.encoder.begin(linear.Active(), data, parity)
	for i := range parity {
		m.interpolate(m.encoder.of(i), data+i, have, weights)
	}
	m.encoder.prepare(m.maps)
	return m
}

// weights appends to z, for each j of have, the logarithm of 1 over multipliers[j] times the product of
// points[j] − points[l] for the other l of have.
func (m *matrix) weights(z []int, have []int) []int {
	for _, j := range have {
		z = append(z, 255-(logarithms[m.multipliers[j]]+m.product(j, have))%255)
	}
	return z
}

// product is the logarithm of that of points[i] − points[l] for the l of have that are not i: that of 0 is 0.
func (m *matrix) product(i int, have []int) (sum int) {
	for _, l := range have {
		sum += logarithms[m.points[i]^m.points[l]]
	}
	return sum
}

// interpolate sets z to the factors by which symbols of have make symbol i, which is none of them.
func (m *matrix) interpolate(z []byte, i int, have []int, weights []int) {
	product := 255 + (logarithms[m.multipliers[i]]+m.product(i, have))%255
	for k, j := range have {
		z[k] = powers[(product-logarithms[m.points[i]^m.points[j]]+weights[k])%255]
	}
}

// streams reports whether so many results of a call go around the caches.
func (m *matrix) streams(size, results int) bool {
	return uint64(size)*uint64(m.data+results) >= uint64(m.stream)
}

func (m *matrix) least() int { return matrixLeast }

func (m *matrix) strip(bool) int { return m.width }

func (m *matrix) encode(j *job, from, to int) {
	r := m.rooms.get()
	defer m.rooms.put(r)
	defer r.forget()
	if j.sink == add {
		m.update(j, r, from, to)
		return
	}
	if j.sink == write {
		m.encoder.run(r, j.shards[m.data:], j.shards[:m.data], from, to, m.streams(j.size, m.parity))
		return
	}
	r.in = cut(r.in, j.shards[:m.data], from, to)
	r.out = cut(r.out, j.shards[m.data:], from, to)
	for o := 0; o < m.parity; o += linear.Outputs {
		count := min(linear.Outputs, m.parity-o)
		sums := r.products(count, to-from)
		m.encoder.part(r, sums, r.in, o, 0, to-from, false)
		for i, sum := range sums {
			if !bytes.Equal(sum, r.out[o+i]) {
				atomic.StoreUint32(&j.differs, 1)
				return
			}
		}
	}
}

// update adds what data that is fresh changes.
func (m *matrix) update(j *job, r *room, from, to int) {
	r.out = cut(r.out, j.shards[m.data:], from, to)
	for k, fresh := range j.fresh {
		if len(fresh) == 0 {
			continue
		}
		change := r.change(to - from)
		copy(change, fresh[from:to])
		if old := j.shards[k]; len(old) > 0 { // none stands for zeros
			xor(change, old[from:to])
		}
		m.encoder.add(r, r.out, k, change)
	}
}

func (m *matrix) prepare(r *rebuild) {
	have := r.have[:m.data]
	r.weights = m.weights(r.weights[:0], have)
	r.begin(m.encoder.set, m.data, len(r.lost))
	for k, i := range r.lost {
		m.interpolate(r.of(k), i, have, r.weights)
	}
	r.combination.prepare(m.maps)
}

func (m *matrix) rebuild(j *job, from, to int) {
	r := m.rooms.get()
	defer m.rooms.put(r)
	defer r.forget()
	r.in = r.in[:0]
	for _, i := range j.have[:m.data] {
		r.in = append(r.in, j.shards[i])
	}
	j.run(r, j.made, r.in, from, to, m.streams(j.size, len(j.made)))
}
