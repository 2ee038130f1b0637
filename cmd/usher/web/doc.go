// Command web is the desk without a server: the handlers of its page, compiled for a browser. A worker of the page runs it over
// files that the browser keeps (site/files.js), a service worker hands the requests of the page to it (site/service.js).
// "make web" writes all of it into a folder for any web server.
package main
