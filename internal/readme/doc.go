// Package readme keeps the documents true. Its test writes README.md anew, from README.md.tmpl, from code that is
// compiled and from the output of commands that it runs, and compares:
//
//	go test ./internal/readme            # fails where README.md differs
//	go test ./internal/readme -update    # writes it
//
// It also follows the links of all documents, finds their Go code in compiled files, and holds the index of errors
// against the errors that there are.
package readme
