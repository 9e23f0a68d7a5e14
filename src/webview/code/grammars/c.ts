export { default as c } from 'highlight.js/lib/languages/c';
export { default as cpp } from 'highlight.js/lib/languages/cpp';
export { default as objectivec } from 'highlight.js/lib/languages/objectivec';
