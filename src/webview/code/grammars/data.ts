export { default as diff } from 'highlight.js/lib/languages/diff';
export { default as graphql } from 'highlight.js/lib/languages/graphql';
export { default as ini } from 'highlight.js/lib/languages/ini';
export { default as json } from 'highlight.js/lib/languages/json';
export { default as protobuf } from 'highlight.js/lib/languages/protobuf';
export { default as yaml } from 'highlight.js/lib/languages/yaml';
export { default as sql } from 'highlight.js/lib/languages/sql';
