package vecfile

import "github.com/galfft/fft/field/bulks"

// Codec makes and encodes vectors over one field, whose element type the caller hides, so that files are read and
// written by the same code for all. A vector is a view of a slice (bulks.ViewOf), an element a pointer to one. The
// methods from Size on are those of field.Codec, and TextBase is field.TextBaseOf.
type Codec interface {
	Make(n int) bulks.View      // n elements, all of them 0
	Copy(z, x bulks.View)       // z = x, of one length
	At(x bulks.View, i int) any // element i
	TextBase() int
	Size() int
	PutBytes(b []byte, x any)
	SetBytes(z any, b []byte) error
	AppendText(b []byte, x any) []byte
	SetText(z any, s []byte) error
}
