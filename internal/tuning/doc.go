// Package tuning keeps choices that were measured: the table, its file, and the file that programs load by themselves.
//
// A file is for one processor and one format. Whatever is wrong with it is a field.ErrTuning with the file, the line
// and the reason, and then nothing of it is used. docs/tuning.md has the format.
package tuning
