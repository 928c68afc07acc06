package vecfile

import (
	"bufio"
	"io"

	"github.com/galfft/fft/field/bulks"
)

// Write writes x to w, in text one element a line.
func Write(w io.Writer, c Codec, f Format, x bulks.View) error {
	if f == Binary {
		return each(w, c, x, func(b []byte, _ int, e any) []byte {
			b = append(b, make([]byte, c.Size())...)
			c.PutBytes(b, e)
			return b
		})
	}
	return each(w, c, x, func(b []byte, _ int, e any) []byte { return append(c.AppendText(b, e), '\n') })
}

// WriteJSON writes x to w as an array of strings, each the text of an element.
func WriteJSON(w io.Writer, c Codec, x bulks.View) error {
	if _, err := io.WriteString(w, "["); err != nil {
		return err
	}
	err := each(w, c, x, func(b []byte, i int, e any) []byte {
		if i > 0 {
			b = append(b, ',')
		}
		return append(c.AppendText(append(b, '"'), e), '"')
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]")
	return err
}

// each writes what encode appends for each element, through a buffer.
func each(w io.Writer, c Codec, x bulks.View, encode func(b []byte, i int, e any) []byte) error {
	out := bufio.NewWriterSize(w, bufferSize)
	var b []byte
	for i := range x.N {
		b = encode(b[:0], i, c.At(x, i))
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}
