//go:build arm64 && !purego

package gf2

// presentWords are the kernels for words.
func presentWords() []*Words {
	if s := activeWords(); s != nil {
		return []*Words{s}
	}
	return nil
}
