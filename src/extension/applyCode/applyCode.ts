/** How code of an answer changes a text, loaded together with the first code that is applied. */
export { fileOfPatch, isPatch, patched } from './patch.ts';
export { placeCode } from './placeCode.ts';
