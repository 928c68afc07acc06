// Package fieldtest checks that a field keeps its contract.
//
// [Run] checks a [field.Field] with every optional interface that it offers, and [RunBulk] a [bulks.Bulk]
// with its tables. Both belong into the tests of a field:
//
//	func TestField(t *testing.T) {
//		f := myfield.New()
//		fieldtest.Run(t, f, fieldtest.Config[myfield.Element]{})
//		fieldtest.RunBulk(t, f, f.Bulk(), fieldtest.Config[myfield.Element]{})
//	}
//
// Each group of promises is a subtest; one whose interface the field does not offer is skipped. Random cases
// are the same in each run; the environment variable FFT_TEST_SCALE, a positive integer, multiplies their
// number, and from 2 on passes run on layers of every form at every width. Tests run with -race find fields that
// write to operands or share scratch.
//
// What is computed is judged by the element methods alone, so Run comes first: RunBulk trusts them.
package fieldtest
