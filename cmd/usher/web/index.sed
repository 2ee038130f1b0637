# Makes the page of the desk one that runs in a browser alone: another script comes first, and asks nobody outside for anything.
s|<script type="module" src="main.js">|<script type="module" src="boot.js">|
s|<meta charset="utf-8">|&\
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' blob:; media-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'">|
