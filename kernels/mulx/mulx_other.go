//go:build !amd64 || purego

package mulx

func active() bool { return false }

func (*Arithmetic) times(_, _, _ *uint64, _ Rows) { panic("mulx: no kernels") }

func (*Arithmetic) cross(_, _ *uint64, _ Rows) { panic("mulx: no kernels") }
