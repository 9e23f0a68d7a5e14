// Files of build tools, containers and servers.
export { default as cmake } from 'highlight.js/lib/languages/cmake';
export { default as dockerfile } from 'highlight.js/lib/languages/dockerfile';
export { default as http } from 'highlight.js/lib/languages/http';
export { default as makefile } from 'highlight.js/lib/languages/makefile';
export { default as nginx } from 'highlight.js/lib/languages/nginx';
export { default as nix } from 'highlight.js/lib/languages/nix';
