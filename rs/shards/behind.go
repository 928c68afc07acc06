package shards

// behind is a goroutine that does something to one thing after the other, while who gives them goes on.
type behind[T any] struct {
	queue chan T
	ended chan struct{}
}

// newBehind begins it. So many wait at most before one who gives more waits too.
func newBehind[T any](most int, do func(T)) *behind[T] {
	b := &behind[T]{queue: make(chan T, most), ended: make(chan struct{})}
	go func() {
		defer close(b.ended)
		for x := range b.queue {
			do(x)
		}
	}()
	return b
}

func (b *behind[T]) give(x T) { b.queue <- x }

// end returns when all is done. Nothing is given behind it.
func (b *behind[T]) end() {
	close(b.queue)
	<-b.ended
}
