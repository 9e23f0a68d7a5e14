// Languages made of lists.
export { default as clojure } from 'highlight.js/lib/languages/clojure';
export { default as lisp } from 'highlight.js/lib/languages/lisp';
export { default as scheme } from 'highlight.js/lib/languages/scheme';
