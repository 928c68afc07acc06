//go:build !amd64 || purego

package gf2

func active() *Set { return &Generic }
