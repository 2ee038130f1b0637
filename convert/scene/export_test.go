package scene

// SeenInMotion is for the tests that stand outside of the package, which use the rooms above it as well.
var SeenInMotion = seen
