// Package view serves a page of the local machine that shows what files hold, without changing them. It has the handlers
// and the page. The content comes from the same library calls as in the other verbs, so the package knows nothing of any
// format.
//
// Access is restricted: the server listens on the loopback interface only, requires the token that it made at the start,
// and refuses requests from other pages (see [Viewer.Handler]). Addresses contain numbers of nodes and never paths, and
// nodes exist only for what lies below the paths that the user named.
package view
