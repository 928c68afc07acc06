package other

var Shown struct{ X int }
