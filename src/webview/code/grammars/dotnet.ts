// Languages of .NET except the functional one.
export { default as csharp } from 'highlight.js/lib/languages/csharp';
export { default as vbnet } from 'highlight.js/lib/languages/vbnet';
