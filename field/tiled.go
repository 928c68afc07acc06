package field

// Tiled is a field whose working form is a slice of tiles P: Lanes elements side by side, digit by digit. A
// tile is an element too: Tile is the field of tiles, lane by lane, where 1 and the roots are those of E in
// every lane. schemes.BuildTiled needs no more.
type Tiled[E, P any] interface {
	Field[E]
	Tile() Bulk[P, []P]
	LoadTile(z *P, a []E)          // the first Lanes elements of a, canonical; leaves a narrow tile
	StoreTile(a []E, x *P)         // wide tiles become canonical elements, the first Lanes of a
	Transpose(dst, src *[Lanes]*P) // lane i of dst[j] = lane j of src[i]; dst and src share no tile
}

// Lanes is the number of elements in a tile.
const Lanes = 8
