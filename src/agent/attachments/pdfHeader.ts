/** The largest PDF that is kept, in bytes: in base64 it must leave room in a request for the conversation. */
export const MAX_PDF_BYTES = 20_000_000;

/** The header may follow other bytes: readers search this far for it. */
const HEADER_WITHIN = 1_024;

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-');
}
