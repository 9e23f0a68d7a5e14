// Shells; terminal sessions contain shell commands.
export { default as bash } from 'highlight.js/lib/languages/bash';
export { default as dos } from 'highlight.js/lib/languages/dos';
export { default as powershell } from 'highlight.js/lib/languages/powershell';
export { default as shell } from 'highlight.js/lib/languages/shell';
