//go:build !amd64 || purego

package batch

// Active returns nil: there are no kernels.
func Active() *Set { return nil }
