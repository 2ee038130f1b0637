package main

import "os"

// There are no signals and no pipes in a browser.

func heed(chan<- os.Signal) {}

func heedClosedPipes() {}

func ignoreClosedPipes() {}

func isClosedPipe(error) bool { return false }
