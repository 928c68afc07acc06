// Package names is the registry of the fields that the command knows by name.
//
// A field joins in one line of the table in fields.go: its name, what it is, and how it is made. Elements may be
// of any type: [verbs.Of] hides it.
package names

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/verbs"
)

// Entry is a field with a name.
type Entry struct {
	Name  string
	About string // what it is, in a few words
	Open  func() (verbs.Field, error)
}

// ErrUnknown says that no field has that name.
var ErrUnknown = errors.New("unknown field")

// List returns all named fields, in the order of the table.
func List() []Entry { return slices.Clone(table) }

// Lookup finds a field by its name, any prime of up to 8192 bits by prime:p, or the prime r^k + 1 by gfpf:r:k, with p
// and r decimal, hexadecimal after 0x, or as 2^61-1. What is behind gfpf: may stand behind plain: as well, for the same
// prime in words in place of digits. gf2:m is GF(2^m), gf2:m:modulus the same by another polynomial, tower:m a tower
// over GF(2). Before a name of more than 64 bits gmp:, ncw: or big:, and of a smaller prime mont:, asks for another
// arithmetic.
// An unknown name is ErrUnknown with the names near to it; a number that is no such prime opens with field.ErrModulus.
func Lookup(name string) (Entry, error) {
	for _, e := range table {
		if e.Name == name {
			return e, nil
		}
	}
	if p, ok := strings.CutPrefix(name, PrimePrefix); ok {
		return Entry{name, "a prime of your own", func() (verbs.Field, error) { return openPrime(p) }}, nil
	}
	if p, ok := strings.CutPrefix(name, gfpf.Prefix); ok && strings.Contains(p, ":") {
		return Entry{name, "a generalized Fermat prime of your own", func() (verbs.Field, error) {
			return openGFPF(p)
		}}, nil
	}
	if p, ok := strings.CutPrefix(name, binary.Prefix); ok {
		return Entry{name, "a binary field of your own", func() (verbs.Field, error) { return openGF2(p) }}, nil
	}
	if p, ok := strings.CutPrefix(name, binary.TowerPrefix); ok {
		return Entry{name, "a tower over GF(2)", func() (verbs.Field, error) { return openTower(p) }}, nil
	}
	if p, ok := strings.CutPrefix(name, PlainPrefix); ok {
		return Entry{name, "a generalized Fermat prime in words", func() (verbs.Field, error) { return openPlain(p) }}, nil
	}
	if e, ok, err := lookupArithmetic(name); ok {
		return e, err
	}
	if near := Near(name); len(near) > 0 {
		return Entry{}, fmt.Errorf("galfft: %w %q: did you mean %s?", ErrUnknown, name, strings.Join(near, " or "))
	}
	return Entry{}, fmt.Errorf("galfft: %w %q: want %s, %s<p>, %s<r>:<k>, %s<name>, %s<m> or %s<m>", ErrUnknown,
		name, strings.Join(all(), ", "), PrimePrefix, gfpf.Prefix, PlainPrefix, binary.Prefix, binary.TowerPrefix)
}

func all() []string {
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.Name
	}
	return names
}

// Near lists the names that contain name, are contained in it, or come out of it by at most two edits.
func Near(name string) []string {
	name = strings.ToLower(name)
	var near []string
	for _, known := range append(all(), PrimePrefix, PlainPrefix) {
		k := strings.ToLower(known)
		edits := min(2, max(len(k), len(name))/2)
		if name != "" && (strings.Contains(k, name) || strings.Contains(name, k) || distance(k, name) <= edits) {
			near = append(near, known)
		}
	}
	return near
}

// distance is the least number of bytes to insert, delete or change between a and b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
