package main

import (
	"fmt"
	"math/bits"
)

// lengthText writes powers of two as such.
func lengthText(n int) string {
	if n >= 1<<10 && n&(n-1) == 0 {
		return fmt.Sprintf("2^%d", bits.Len(uint(n))-1)
	}
	return fmt.Sprint(n)
}

// duration writes ns with three digits that matter and a unit.
func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= unit.ns {
			return fmt.Sprintf("%.3g %s", ns/unit.ns, unit.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
