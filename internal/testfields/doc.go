// Package testfields holds fields that the suites of this module share. They are small and readable before
// they are fast, and each stands for a kind of field that a user may bring: elements that hold pointers
// ([BigInt]), elements in Montgomery form with element methods alone ([Word256]), a working form of tiles
// ([Plain256]), and a root whose powers are shifts ([Fermat]). [Counting] wraps any of them and counts.
//
// Over one prime BigInt, Word256 and Plain256 have the same roots of unity and the same encoding, so that
// their transforms can be compared value by value.
package testfields
