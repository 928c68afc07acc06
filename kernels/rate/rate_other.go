//go:build !amd64 || purego

package rate

// Active returns the loop of the active tier.
func Active() Loop { return Words() }
