package gpu

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/stretchr/testify/require"
)

// likeIsomorphism compares a conversion, and the one back, with those of package binary.
func likeIsomorphism[E binary.Elements](t *testing.T, d *Device, from, to *binary.Field[E], n int) {
	i, err := binary.NewIsomorphism(from, to)
	require.NoError(t, err)
	f, g := must(Field[E](from, On(d))), must(Field[E](to, On(d)))
	c, err := NewConversion(f, g)
	require.NoError(t, err)
	back := c.Inverse()
	require.Same(t, c, back.Inverse())
	x, want, got := make([]E, n), make([]E, n), make([]E, n)
	r := rand.New(rand.NewPCG(5, uint64(from.Degree())))
	for k := range x {
		switch {
		case k == 0:
			from.One(&x[k])
		case k == 1: // 0
		case k%3 == 0:
			from.Set(&x[k], &x[k-1])
			from.Square(&x[k], &x[k])
		default:
			from.Random(&x[k], r)
		}
	}
	require.NoError(t, i.Map(want, x))
	v, w := must(f.NewVec(n)), must(g.NewVec(n))
	require.NoError(t, f.LoadVec(v, x))
	require.NoError(t, c.MapVec(w, v))
	require.NoError(t, g.StoreVec(got, w))
	for k := range want {
		require.True(t, to.Equal(&want[k], &got[k]), "%s to %s, %d", from.Name(), to.Name(), k)
	}
	// Products stay products: squares by one field are those of the other.
	require.NoError(t, MulVec(w, w, w))
	require.NoError(t, f.LoadVec(v, make([]E, n)))
	require.NoError(t, back.MapVec(v, w))
	require.NoError(t, f.StoreVec(got, v))
	for k := range x {
		var s E
		from.Square(&s, &x[k])
		require.True(t, from.Equal(&s, &got[k]), "%s by %s, %d", from.Name(), to.Name(), k)
	}
	for _, v := range []field.Vec{v, w} {
		require.NoError(t, v.Close())
	}
}

// Conversions between all kinds of bases, of elements of all sizes.
func TestGF2Conversions(t *testing.T) {
	d := alone(t)
	likeIsomorphism(t, d, must(binary.NewTower[uint8](8)), binary.AES(), 100)
	likeIsomorphism(t, d, must(binary.NewTower[uint16](16)), binary.Leopard16(), 70)
	likeIsomorphism(t, d, must(binary.NewTower[uint32](32)), must(binary.New[uint32](32)), 70)
	likeIsomorphism(t, d, must(binary.NewTower[uint64](64)), must(binary.New[uint64](64)), 70)
	likeIsomorphism(t, d, must(binary.NewTower[[2]uint64](128)), binary.GHASH(), 70)
	likeIsomorphism(t, d, binary.POLYVAL(), binary.GHASH(), 70)
	for _, f := range gf2Fields(t, "", "", "b 3b 240500050001 400000000051004009 440000000000000080000020000000001 "+
		"10000000000000000000000000000080000000000000000000000000400000003") {
		likeIsomorphism(t, d, f, must(binary.New[binary.Number](f.Degree())), 30)
	}
}

// What is no pair of binary fields of one degree and device has no conversion, and vectors belong to their fields.
func TestGF2ConversionErrors(t *testing.T) {
	d, other := alone(t), alone(t)
	tower, aes := must(Field(must(binary.NewTower[uint8](8)), On(d))), must(Field(binary.AES(), On(d)))
	c := must(NewConversion(tower, aes))
	_, err := NewConversion(tower, nil)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = NewConversion(tower, must(Field(binary.AES(), On(other))))
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = NewConversion(tower, must(Field(must(binary.New[uint8](7)), On(d))))
	require.ErrorIs(t, err, field.ErrSpec)
	p := must(Field(smallprime.BabyBear(), On(d)))
	_, err = NewConversion(p, p)
	require.ErrorIs(t, err, field.ErrSpec)
	x, y, long := must(tower.NewVec(3)), must(aes.NewVec(3)), must(aes.NewVec(4))
	require.NoError(t, c.MapVec(y, x))
	require.ErrorIs(t, c.MapVec(x, y), field.ErrVec)
	require.ErrorIs(t, c.MapVec(y, y), field.ErrVec)
	require.ErrorIs(t, c.MapVec(nil, x), field.ErrVec)
	require.ErrorIs(t, c.MapVec(y, nil), field.ErrVec)
	require.ErrorIs(t, c.MapVec(long, x), field.ErrLength)
	require.ErrorIs(t, (*Conversion[uint8])(nil).MapVec(y, x), field.ErrSpec)
	require.ErrorIs(t, new(Conversion[uint8]).MapVec(y, x), field.ErrSpec)
	require.Nil(t, (*Conversion[uint8])(nil).Inverse())
	require.NoError(t, c.MapVec(must(aes.NewVec(0)), must(tower.NewVec(0))))
	require.NoError(t, x.Close())
	require.ErrorIs(t, c.MapVec(y, x), field.ErrVec)

	// Where both fields are one, a vector can be its own image.
	same := must(NewConversion(aes, aes))
	require.NoError(t, aes.LoadVec(y, []uint8{1, 2, 255}))
	require.NoError(t, same.MapVec(y, y))
	got := make([]uint8, 3)
	require.NoError(t, aes.StoreVec(got, y))
	require.Equal(t, []uint8{1, 2, 255}, got)
	wide := must(Field(must(binary.New[[4]uint64](256)), On(d)))
	v := must(wide.NewVec(2))
	require.ErrorIs(t, must(NewConversion(wide, wide)).MapVec(v, v), field.ErrVec)
}

// Maps allocate nothing, on queues too.
func TestGF2ConversionAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer noCleanups()() // which allocate
	d := alone(t)
	tower, ghash := must(Field(must(binary.NewTower[[2]uint64](128)), On(d))), must(Field(binary.GHASH(), On(d)))
	c := must(NewConversion(tower, ghash))
	q := must(d.NewQueue())
	for _, v := range [][2]field.Vec{
		{must(tower.NewVec(5)), must(ghash.NewVec(5))}, {must(tower.NewVecIn(q, 5)), must(ghash.NewVecIn(q, 5))},
	} {
		require.NoError(t, c.MapVec(v[1], v[0]))
		require.Zero(t, testing.AllocsPerRun(20, func() { _ = c.MapVec(v[1], v[0]) }))
		require.NoError(t, MulVec(v[0], v[0], v[0]))
		require.Zero(t, testing.AllocsPerRun(20, func() { _ = MulVec(v[0], v[0], v[0]) }))
	}
	require.NoError(t, q.Close())
}
