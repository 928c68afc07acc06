package main

func Example() {
	main()
	// Output:
	// 1048576 bytes are 12 shards on 4 disks
	// one disk is lost, and a bit: the file is the same: true
	// 002.shard: shard 2: missing
	// 005.shard: shard 5: damaged, bad blocks: 1
	// 006.shard: shard 6: missing
	// 010.shard: shard 10: missing
	// repaired: intact
}
