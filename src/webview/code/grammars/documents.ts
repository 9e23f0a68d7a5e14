// Languages of documents; in answers they are more often text than code.
export { default as latex } from 'highlight.js/lib/languages/latex';
export { default as markdown } from 'highlight.js/lib/languages/markdown';
