// Languages that compile to CSS.
export { default as less } from 'highlight.js/lib/languages/less';
export { default as scss } from 'highlight.js/lib/languages/scss';
