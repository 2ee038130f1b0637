// Package page converts trees and effects to JSON documents, called pages, and back. A page shows the content of leaves
// decoded.
package page
