export { default as julia } from 'highlight.js/lib/languages/julia';
export { default as matlab } from 'highlight.js/lib/languages/matlab';
export { default as python } from 'highlight.js/lib/languages/python';
export { default as r } from 'highlight.js/lib/languages/r';
