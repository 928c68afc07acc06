//go:build (!amd64 && !arm64) || purego

package gf2

func active() *Set { return &Generic }
