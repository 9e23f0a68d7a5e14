// Grammars that embed each other: a page contains styles and scripts, a script contains markup.
export { default as css } from 'highlight.js/lib/languages/css';
export { default as javascript } from 'highlight.js/lib/languages/javascript';
export { default as typescript } from 'highlight.js/lib/languages/typescript';
export { default as xml } from 'highlight.js/lib/languages/xml';
