package vecfile

import (
	"bufio"
	"fmt"
	"io"

	"github.com/galfft/fft/field"
)

// Source is where a vector comes from.
type Source struct {
	Name   string // the file's name in messages
	Reader io.Reader
	Format Format
	Len    int // the number of elements wanted; 0 takes what there is
}

// Read reads all elements of s.
func Read[E any](c field.Codec[E], s Source) ([]E, error) {
	if s.Format == Binary {
		return readBinary(c, s)
	}
	return readText(c, s)
}

// bufferSize is the read and write buffer: large enough that system calls do not show.
const bufferSize = 1 << 16

// maxAhead bounds what is allocated before any element was read: Len may be a wish that no file fulfils.
const maxAhead = 1 << 20

// appendZero lengthens x by one element, for the decoder to fill.
func appendZero[E any](x []E) []E {
	var zero E
	return append(x, zero)
}

func readText[E any](c field.Codec[E], s Source) ([]E, error) {
	x := make([]E, 0, min(s.Len, maxAhead))
	sc := scanner{r: bufio.NewReaderSize(s.Reader, bufferSize), line: 1, limit: maxDigits(c.Size())}
	for {
		err := sc.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d:%d: element %d: "+format, append([]any{s.Name, sc.tokenLine, sc.tokenColumn, len(x)}, args...)...)
		}
		if s.Len > 0 && len(x) == s.Len {
			return nil, fail("%w: the file goes on, want %d elements", field.ErrLength, s.Len)
		}
		if !sc.digits {
			return nil, fail("%w: %q, want a decimal number", field.ErrRange, sc.shown())
		}
		if sc.long {
			return nil, fail("%w: %q, want at most %d digits", field.ErrRange, sc.shown(), sc.limit)
		}
		x = appendZero(x)
		if err := c.SetText(&x[len(x)-1], sc.token); err != nil {
			x = x[:len(x)-1]
			return nil, fail("%w", err)
		}
	}
	if len(x) < s.Len {
		return nil, fmt.Errorf("%s:%d:%d: %w: the file ends after %d elements, want %d", s.Name, sc.line, sc.column+1, field.ErrLength, len(x), s.Len)
	}
	return x, nil
}

// maxDigits is the number of digits that any element of size bytes fits in: 3 > log₁₀ 256.
func maxDigits(size int) int { return 3 * size }

// scanner splits text into tokens.
type scanner struct {
	r            *bufio.Reader
	line, column int // of the last byte read
	limit        int // digits kept of a token

	token                  []byte // without leading zeros; one more than limit bytes where long
	digits, long           bool
	tokenLine, tokenColumn int
}

// shown is the token for a message.
func (s *scanner) shown() []byte { return s.token[:min(len(s.token), 32)] }

// next reads one token, or returns io.EOF when there is none.
func (s *scanner) next() error {
	s.token, s.digits, s.long = s.token[:0], true, false
	inside, comment := false, false
	for {
		b, err := s.r.ReadByte()
		if err == io.EOF && inside {
			return nil
		}
		if err != nil {
			return err
		}
		s.column++
		switch {
		case b == '\n':
			s.line, s.column, comment = s.line+1, 0, false
			if inside {
				return nil
			}
		case comment:
		case b == '#':
			if inside {
				s.column--
				return s.r.UnreadByte()
			}
			comment = true
		case b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f':
			if inside {
				return nil
			}
		default:
			if !inside {
				inside, s.tokenLine, s.tokenColumn = true, s.line, s.column
			}
			s.add(b)
		}
	}
}

func (s *scanner) add(b byte) {
	if b < '0' || b > '9' {
		s.digits = false
	}
	if len(s.token) == 1 && s.token[0] == '0' && s.digits {
		s.token = s.token[:0]
	}
	s.long = len(s.token) >= s.limit
	if len(s.token) <= s.limit {
		s.token = append(s.token, b)
	}
}

func readBinary[E any](c field.Codec[E], s Source) ([]E, error) {
	size := c.Size()
	x := make([]E, 0, min(s.Len, maxAhead))
	r := bufio.NewReaderSize(s.Reader, bufferSize)
	b := make([]byte, size)
	for {
		at := int64(len(x)) * int64(size)
		n, err := io.ReadFull(r, b)
		switch {
		case err == io.EOF && len(x) < s.Len:
			return nil, fmt.Errorf("%s: byte %d: %w: the file ends after %d elements, want %d", s.Name, at, field.ErrLength, len(x), s.Len)
		case err == io.EOF:
			return x, nil
		case err == io.ErrUnexpectedEOF:
			return nil, fmt.Errorf("%s: byte %d: element %d: %w: the file ends after %d of its %d bytes", s.Name, at, len(x), field.ErrLength, n, size)
		case err != nil:
			return nil, fmt.Errorf("%s: byte %d: %w", s.Name, at+int64(n), err)
		case s.Len > 0 && len(x) == s.Len:
			return nil, fmt.Errorf("%s: byte %d: element %d: %w: the file goes on, want %d elements", s.Name, at, len(x), field.ErrLength, s.Len)
		}
		x = appendZero(x)
		if err := c.SetBytes(&x[len(x)-1], b); err != nil {
			return nil, fmt.Errorf("%s: byte %d: element %d: %w", s.Name, at, len(x)-1, err)
		}
	}
}
