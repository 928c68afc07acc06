// Package shards keeps a file, a stream or a directory as files of shards of a Reed–Solomon code, and makes it whole
// again from what is left of them.
//
// Data is cut into stripes: one block for each shard of data, and one of parity for each of the others. Each block has
// a sum, so that damage is the loss of a block and not of a shard, and a stripe is whole as long as it has as many good
// blocks as there is data. Stripes are made as data comes, so that a pipe of any length is encoded in bounded memory.
// docs/shards.md has the format, which later versions read.
//
//	err := shards.EncodeFile(ctx, "photos", "photos.shards", 10, 4)
//	…
//	set, err := shards.Open(ctx, []string{"photos.shards"})
//	err = set.Restore(ctx, "photos")
//
// What a call writes is written aside, synced and renamed when it is complete. So a process that is killed leaves no
// half file under a name that was asked for, and nothing that stands there is written over: only blocks that are
// damaged are repaired where they stand.
package shards
