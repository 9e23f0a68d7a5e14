// Languages in which texts are written; they stand in answers more often as text than as code.
export { default as latex } from 'highlight.js/lib/languages/latex';
export { default as markdown } from 'highlight.js/lib/languages/markdown';
