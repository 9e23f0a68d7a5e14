/** How code of an answer changes a text; loaded when code is applied for the first time. */
export { fileOfPatch, isPatch, patched } from './patch.ts';
export { placeCode } from './placeCode.ts';
