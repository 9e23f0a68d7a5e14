// Small grammars of languages that compile to native code, of assembly and of hardware.
export { default as go } from 'highlight.js/lib/languages/go';
export { default as rust } from 'highlight.js/lib/languages/rust';
export { default as wasm } from 'highlight.js/lib/languages/wasm';
export { default as verilog } from 'highlight.js/lib/languages/verilog';
