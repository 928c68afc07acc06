// Package bulks holds the contracts of those who implement a field with a working form of its own: a [Bulk] is the
// arithmetic of whole vectors, a [View] a part of one, a [Table] multipliers with the [Pass] that uses them, and
// [Traits] say as data what there is. Users of fields need none of it: package field has what they read.
//
// [Slices] and [Plain] are complete bulks over element methods, to be embedded by those who do some things faster. The
// page docs/contract.md is the overview, and package field/fieldtest checks all of it.
package bulks
