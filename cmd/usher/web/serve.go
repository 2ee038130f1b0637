//go:build js && wasm

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"syscall/js"
)

// serve answers a request of the page. It has a method, a url, headers as pairs and a body, and takes the answer piece by
// piece, by the functions begin, more and end. Until the end it has a function stop.
func serve(ctx context.Context, h http.Handler, asked js.Value) {
	ctx, stop := context.WithCancel(ctx)
	stopping := js.FuncOf(func(js.Value, []js.Value) any { stop(); return nil })
	asked.Set("stop", stopping)
	go func() {
		defer stopping.Release()
		defer stop()
		a := &answer{to: asked, header: http.Header{}}
		defer a.end()
		r, err := request(ctx, asked)
		if err != nil {
			http.Error(a, err.Error(), http.StatusBadRequest)
			return
		}
		h.ServeHTTP(a, r)
	}()
}

// request makes a request of what the page has asked.
func request(ctx context.Context, asked js.Value) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if b := asked.Get("body"); b.Truthy() {
		content := make([]byte, b.Length())
		js.CopyBytesToGo(content, b)
		body = bytes.NewReader(content)
	}
	r, err := http.NewRequestWithContext(ctx, asked.Get("method").String(), asked.Get("url").String(), body)
	if err != nil {
		return nil, err
	}
	headers := asked.Get("headers")
	for i := range headers.Length() {
		r.Header.Set(headers.Index(i).Index(0).String(), headers.Index(i).Index(1).String())
	}
	return r, nil
}

// answer is where a handler writes to.
type answer struct {
	to     js.Value
	header http.Header
	began  bool
	held   []byte // not handed over yet: many small pieces cost more than a large one
}

// mostHeld is how much of an answer is held back.
const mostHeld = 256 << 10

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.began {
		return
	}
	a.began = true
	pairs := []any{}
	for name, values := range a.header {
		pairs = append(pairs, []any{name, strings.Join(values, ", ")})
	}
	a.to.Call("begin", status, pairs)
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.held = append(a.held, b...)
	if len(a.held) >= mostHeld {
		a.Flush()
	}
	return len(b), nil
}

// Flush hands over what is held back.
func (a *answer) Flush() {
	if len(a.held) == 0 {
		return
	}
	b := js.Global().Get("Uint8Array").New(len(a.held))
	js.CopyBytesToJS(b, a.held)
	a.held = a.held[:0]
	a.to.Call("more", b)
}

func (a *answer) end() {
	a.WriteHeader(http.StatusOK)
	a.Flush()
	a.to.Call("end")
}
