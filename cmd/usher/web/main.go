//go:build js && wasm

package main

import (
	"context"
	"net/http"
	"syscall/js"

	"github.com/usher-assets/usher/cmd/usher/view"
)

func main() {
	ctx := context.Background()
	v, err := view.New(view.Config{Operands: []string{"."}, Start: true, Desk: &view.Desk{Alone: true}})
	if err != nil {
		panic(err) // the folder is there before the program starts
	}
	mux := http.NewServeMux()
	mux.Handle("/", v.Answers())
	mux.HandleFunc("GET /api/web/out", handleOut)
	v.Scan(ctx)
	go v.Watch(ctx)
	js.Global().Call("usherReady", js.FuncOf(func(_ js.Value, args []js.Value) any { serve(ctx, mux, args[0]); return nil }))
	<-ctx.Done()
}
