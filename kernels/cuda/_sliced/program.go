package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/binary"
)

// value is one of a program, by the number of its operation.
type value int

// operation is one of up to three words. Its table has bit 4a + 2b + c set where bits a, b and c give 1, as that of the
// instruction LOP3 has; those from 256 on are of fewer words. An input has 0.
type operation struct {
	table int
	args  []value
	name  string // of an input
}

// Tables.
const (
	xor3   = 0x96 // a ^ b ^ c
	andXor = 0x78 // a ^ b & c
	choose = 0xca // a ? b : c
	xorNot = 0xd2 // a ^ ~b & c
	andSum = 0x60 // a & (b ^ c)
)

// Operations of two words and of one.
const (
	xor2     = 256 + iota
	and2     // a & b
	andNot   // a & ~b
	exchange // a of the lane beside; no operation of logic
)

// program is straight-line code on words, for one lane or two that exchange some.
type program struct {
	name         string
	bits, lanes  int
	tower        bool // elements are of the tower, else of the standard basis
	list         []operation
	x, y, result []value
	upper        value // all ones in the second lane, and 0 in the first
}

func newProgram(name string, bits, lanes int) *program {
	p := &program{name: name, bits: bits, lanes: lanes}
	for i := range bits / lanes {
		p.x = append(p.x, p.input(fmt.Sprintf("x[%d]", i)))
	}
	for i := range bits / lanes {
		p.y = append(p.y, p.input(fmt.Sprintf("y[%d]", i)))
	}
	p.upper = p.input("upper")
	return p
}

func (p *program) input(name string) value {
	p.list = append(p.list, operation{name: name})
	return value(len(p.list) - 1)
}

func (p *program) do(table int, args ...value) value {
	p.list = append(p.list, operation{table: table, args: args})
	return value(len(p.list) - 1)
}

func (p *program) xor(a, b value) value       { return p.do(xor2, a, b) }
func (p *program) xor3(a, b, c value) value   { return p.do(xor3, a, b, c) }
func (p *program) and(a, b value) value       { return p.do(and2, a, b) }
func (p *program) andXor(a, b, c value) value { return p.do(andXor, a, b, c) }
func (p *program) other(a value) value        { return p.do(exchange, a) }

// either is a in the second lane and b in the first; inFirst is a there and 0 in the second, inSecond the converse.
func (p *program) either(a, b value) value { return p.do(choose, p.upper, a, b) }
func (p *program) inFirst(a value) value   { return p.do(andNot, a, p.upper) }
func (p *program) inSecond(a value) value  { return p.do(and2, a, p.upper) }

// operations counts those of logic.
func (p *program) operations() (n int) {
	for _, o := range p.list {
		if o.table != 0 && o.table != exchange {
			n++
		}
	}
	return n
}

// run is what the words of 32 elements become, in each lane.
func (p *program) run(x, y [2][]uint32) (z [2][]uint32) {
	v := make([][2]uint32, len(p.list))
	for i, o := range p.list {
		for lane := range p.lanes {
			var a [3]uint32
			for j, k := range o.args {
				a[j] = v[k][lane]
			}
			switch o.table {
			case 0:
				switch {
				case i < len(p.x):
					v[i][lane] = x[lane][i]
				case value(i) == p.upper:
					v[i][lane] = -uint32(lane)
				default:
					v[i][lane] = y[lane][i-len(p.x)]
				}
			case xor2:
				v[i][lane] = a[0] ^ a[1]
			case and2:
				v[i][lane] = a[0] & a[1]
			case andNot:
				v[i][lane] = a[0] &^ a[1]
			case exchange:
				v[i][lane] = v[o.args[0]][1-lane]
			default:
				for bit := range 8 {
					if o.table>>bit&1 == 1 {
						v[i][lane] |= which(a[0], bit>>2) & which(a[1], bit>>1) & which(a[2], bit)
					}
				}
			}
		}
	}
	for lane := range p.lanes {
		for _, r := range p.result {
			z[lane] = append(z[lane], v[r][lane])
		}
	}
	return z
}

// which is the bits where x has the lowest bit of b.
func which(x uint32, b int) uint32 {
	if b&1 == 1 {
		return x
	}
	return ^x
}

// check compares products with those of package field/binary: of zero, one, all ones, single bits and random elements
// by each other.
func (p *program) check() error {
	mul, err := product(p.bits, p.tower)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, uint64(p.bits)))
	edges := []uint64{0, 1, 1<<p.bits - 1}
	for i := range p.bits {
		edges = append(edges, 1<<i)
	}
	for range 64 {
		edges = append(edges, r.Uint64()>>(64-p.bits))
	}
	for len(edges)%32 != 0 {
		edges = append(edges, r.Uint64()>>(64-p.bits))
	}
	for _, factor := range edges {
		for i := 0; i < len(edges); i += 32 {
			var a, b [32]uint64
			for j := range a {
				a[j], b[j] = edges[i+j], factor
			}
			z := p.elements(p.run(p.slices(a), p.slices(b)))
			for j := range z {
				if want := mul(a[j], factor); z[j] != want {
					return fmt.Errorf("%#x times %#x is %#x, want %#x", a[j], factor, z[j], want)
				}
			}
		}
	}
	return nil
}

// product returns that of a field.
func product(bits int, tower bool) (mul func(x, y uint64) uint64, err error) {
	field := binary.New[binary.Number]
	if tower {
		field = binary.NewTower[binary.Number]
	}
	f, err := field(bits)
	return func(x, y uint64) uint64 {
		a, b := binary.Number{x}, binary.Number{y}
		f.Mul(&a, &a, &b)
		return a[0]
	}, err
}

// slices has bit i of all elements in word i, of the lane to which it belongs.
func (p *program) slices(x [32]uint64) (z [2][]uint32) {
	for i := range p.bits {
		var w uint32
		for j := range x {
			w |= uint32(x[j]>>i&1) << j
		}
		lane := i * p.lanes / p.bits
		z[lane] = append(z[lane], w)
	}
	return z
}

// elements undoes slices.
func (p *program) elements(z [2][]uint32) (x [32]uint64) {
	words := append(z[0], z[1]...)
	for j := range x {
		for i, w := range words {
			x[j] |= uint64(w>>j&1) << i
		}
	}
	return x
}
