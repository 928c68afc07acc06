//go:build !(cgo && gmp)

package main

import "fmt"

// midintGMP is absent without GMP.
func midintGMP(*midintCase) (*midintCall, error) {
	return nil, fmt.Errorf("%w: built without the tag gmp", errAbsent)
}

// gmpBatch has nothing without GMP.
func gmpBatch(*midintCase, int, []uint32) bool { return false }
