//go:build !amd64 || purego

package linear

func active() *Set { return &Generic }
