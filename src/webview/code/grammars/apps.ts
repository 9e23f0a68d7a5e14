export { default as dart } from 'highlight.js/lib/languages/dart';
export { default as swift } from 'highlight.js/lib/languages/swift';
