/** The largest PDF that is kept, in bytes: in base64 it has to leave room in a request for all that is said. */
export const MAX_PDF_BYTES = 20_000_000;

/** The header may stand behind other bytes: readers look that far for it. */
const HEADER_WITHIN = 1_024;

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-');
}
