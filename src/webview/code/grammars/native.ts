// Small grammars of languages that become programs without a virtual machine, and what some of them become, programs and chips.
export { default as go } from 'highlight.js/lib/languages/go';
export { default as rust } from 'highlight.js/lib/languages/rust';
export { default as wasm } from 'highlight.js/lib/languages/wasm';
export { default as verilog } from 'highlight.js/lib/languages/verilog';
