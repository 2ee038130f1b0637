// Package page shows trees and effects as JSON and reads them again: pages, whose leaves are what they hold.
package page
