// Package vecfile reads and writes vectors of field elements as files.
//
// A text file holds numbers separated by white space, decimal or in the base of the field's text, element 0 (the
// coefficient of x⁰) first; # starts a comment that ends with the line. A binary file holds nothing but elements of
// Codec.Size() bytes each, little-endian, element 0 first.
//
// Only canonical elements are read. Every error of a file's content says where it is, by line and column (in bytes,
// from 1) or by byte offset, and at which element; errors.Is finds [ErrSyntax], [field.ErrRange], [field.ErrLength] or
// [field.ErrMemory].
package vecfile
