// Package testscale says how much tests do: the environment variable FFT_TEST_SCALE, a positive integer.
//
// It multiplies the number of random cases; 1 is the default. Below [Full], tests take a part of what would multiply:
// a cover of the combinations of parameters ([Combinations]), the smaller sizes, some of the fields. From [Full] on
// they take everything.
package testscale

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

const variable = "FFT_TEST_SCALE"

// Full is the least scale at which tests take everything.
const Full = 2

// Of returns the scale, and ends t where it is set to anything else than a positive integer.
func Of(t testing.TB) int {
	t.Helper()
	n, err := parse(os.Getenv(variable))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func parse(v string) (int, error) {
	if v == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %q, want a positive integer", variable, v)
	}
	return n, nil
}

// Combinations returns lists of choices: element i is below sizes[i]. From Full on they are all there are; below it
// they are some, drawn by r, in which every two choices of two parameters meet.
func Combinations(scale int, r *rand.Rand, sizes ...int) [][]int {
	if scale >= Full || len(sizes) < 2 {
		return all(sizes)
	}
	return pairs(r, sizes)
}

func all(sizes []int) [][]int {
	list := [][]int{nil}
	for _, n := range sizes {
		var longer [][]int
		for _, c := range list {
			for i := range n {
				longer = append(longer, append(c[:len(c):len(c)], i))
			}
		}
		list = longer
	}
	return list
}

// pairs takes combinations in random order that have a pair of choices that none before has; better ones first.
func pairs(r *rand.Rand, sizes []int) (list [][]int) {
	every := all(sizes)
	r.Shuffle(len(every), func(i, j int) { every[i], every[j] = every[j], every[i] })
	first, total := make([]int, len(sizes)), 0 // choice a of parameter i is number first[i] + a
	for i, n := range sizes {
		first[i], total = total, total+n
	}
	seen := make([]bool, total*total)
	pairsOf := func(c []int, f func(seen *bool)) {
		for j := range c {
			for i := range j {
				f(&seen[(first[i]+c[i])*total+first[j]+c[j]])
			}
		}
	}
	for fresh := len(sizes) * (len(sizes) - 1) / 2; fresh > 0; fresh-- {
		for _, c := range every {
			count := 0
			pairsOf(c, func(seen *bool) {
				if !*seen {
					count++
				}
			})
			if count < fresh {
				continue
			}
			pairsOf(c, func(seen *bool) { *seen = true })
			list = append(list, c)
		}
	}
	return list
}
