package vecfile

import (
	"bufio"
	"io"

	"github.com/galfft/fft/field"
)

// Write writes x to w, in text one element a line.
func Write[E any](w io.Writer, c field.Codec[E], f Format, x []E) error {
	if f == Binary {
		return each(w, x, func(b []byte, _ int, e *E) []byte {
			b = append(b, make([]byte, c.Size())...)
			c.PutBytes(b, e)
			return b
		})
	}
	return each(w, x, func(b []byte, _ int, e *E) []byte { return append(c.AppendText(b, e), '\n') })
}

// WriteJSON writes x to w as an array of decimal strings.
func WriteJSON[E any](w io.Writer, c field.Codec[E], x []E) error {
	if _, err := io.WriteString(w, "["); err != nil {
		return err
	}
	err := each(w, x, func(b []byte, i int, e *E) []byte {
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
func each[E any](w io.Writer, x []E, encode func(b []byte, i int, e *E) []byte) error {
	out := bufio.NewWriterSize(w, bufferSize)
	var b []byte
	for i := range x {
		b = encode(b[:0], i, &x[i])
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}
