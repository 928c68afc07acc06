package vecfile

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Format is the encoding of a file. The zero value is text.
type Format uint8

const (
	Text Format = iota
	Binary
)

// FormatNames lists what ParseFormat accepts.
var FormatNames = []string{"text", "binary"}

func (f Format) String() string {
	if int(f) < len(FormatNames) {
		return FormatNames[f]
	}
	return fmt.Sprintf("#%d", uint8(f))
}

// ParseFormat is the inverse of String.
func ParseFormat(s string) (Format, error) {
	for i, n := range FormatNames {
		if n == s {
			return Format(i), nil
		}
	}
	return 0, fmt.Errorf("vecfile: %w: format %q, want one of %q", field.ErrSpec, s, FormatNames)
}
