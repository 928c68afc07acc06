//go:build !amd64 || purego

package clmul

func active() *Set { return &Generic }

func activeBits() *Bits { return &GenericBits }
