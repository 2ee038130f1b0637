// Package view shows what files hold on a page of the local machine, to be looked at and never changed. It holds the
// handlers and the page; what is shown goes through the same calls of the library as in the other verbs, so that nothing
// of any format is known here.
//
// Nobody else gets in: the server listens on the loopback interface alone, wants the token that it made when it started,
// and refuses what other pages send (see [Viewer.Handler]). Addresses hold numbers of nodes, never paths; a node is made
// only for what lies below the paths that were named.
package view
