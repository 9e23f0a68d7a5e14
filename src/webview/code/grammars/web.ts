// Grammars that stand in one another: a page has styles and scripts in it, a script has markup.
export { default as css } from 'highlight.js/lib/languages/css';
export { default as javascript } from 'highlight.js/lib/languages/javascript';
export { default as typescript } from 'highlight.js/lib/languages/typescript';
export { default as xml } from 'highlight.js/lib/languages/xml';
