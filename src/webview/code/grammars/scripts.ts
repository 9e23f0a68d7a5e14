export { default as lua } from 'highlight.js/lib/languages/lua';
export { default as perl } from 'highlight.js/lib/languages/perl';
export { default as ruby } from 'highlight.js/lib/languages/ruby';
export { default as php } from 'highlight.js/lib/languages/php';
export { default as vim } from 'highlight.js/lib/languages/vim';
