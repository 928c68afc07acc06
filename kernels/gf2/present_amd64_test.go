//go:build amd64 && !purego

package gf2

// presentWords are the kernels for words of the tier that runs and of processors that have less.
func presentWords() []*Words {
	switch activeWords() {
	case nil:
		return nil
	case &wordsGFNI512:
		return []*Words{&words128, &words256, &words512, &shortWords512}
	case &words512:
		return []*Words{&words128, &words256, &words512}
	case &words256:
		return []*Words{&words128, &words256}
	}
	return []*Words{&words128}
}
