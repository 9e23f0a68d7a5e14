import { isPdf, MAX_PDF_BYTES } from '../../models/messages/messageFiles.ts';

/** How much of a compressed part of a PDF is inflated, in bytes, and of all of them together. */
const MAX_INFLATED = 2_000_000;
const MAX_INFLATED_IN_ALL = 20_000_000;

/** What each part counts at least, in bytes, so that there are not too many that hold nothing. */
const LEAST_OF_A_PART = 20_000;

export interface PdfFacts {
  /** It asks for a password; no model can open it. */
  readonly isEncrypted: boolean;
  /** Omitted if they cannot be counted. */
  readonly pages?: number;
}

/** Why bytes are rejected as a PDF, in English; undefined if they are accepted. */
export function pdfProblem(
  bytes: Uint8Array,
  { isEncrypted }: Pick<PdfFacts, 'isEncrypted'>,
): string | undefined {
  if (!isPdf(bytes)) return 'its bytes are no PDF';
  if (!latin1(bytes.subarray(-2_048)).includes('%%EOF')) return 'it is damaged';
  if (isEncrypted) return 'it is protected by a password';
  return bytes.byteLength > MAX_PDF_BYTES
    ? `it is too large (${bytes.byteLength} bytes; up to ${MAX_PDF_BYTES} are sent)`
    : undefined;
}

/** One page object, in any order of its members. */
const page = /\/Type\s*\/Page(?![A-Za-z])/g;

/** The dictionary of an object stream, up to the start of its bytes. */
const objectStream = /\/Type\s*\/ObjStm\b[^>]{0,500}>>\s*stream\r?\n/g;

/**
 * Counts the pages of a PDF by searching for page objects. Newer files have them in compressed parts, which are
 * inflated up to a limit. A PDF library is not worth its size for a number that only bounds a request.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfFacts> {
  const text = latin1(bytes);
  const isEncrypted = /\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(text);
  let pages = count(text);
  let budget = MAX_INFLATED_IN_ALL;
  const streams = new RegExp(objectStream);
  while (budget > 0 && !isEncrypted) {
    const found = streams.exec(text);
    if (!found) break;
    const begin = found.index + found[0].length;
    const end = text.indexOf('endstream', begin);
    if (end === -1) break;
    // Nothing lies in a stream: a file that says so would be unpacked once for each.
    streams.lastIndex = end;
    if (!found[0].includes('/FlateDecode')) continue;
    const objects = await inflated(bytes.subarray(begin, end), Math.min(budget, MAX_INFLATED));
    budget -= Math.max(objects.length, LEAST_OF_A_PART);
    pages += count(objects);
  }
  return { isEncrypted, ...(pages === 0 ? {} : { pages }) };
}

function count(text: string): number {
  return text.match(page)?.length ?? 0;
}

/** The content of a compressed part, up to a length; for a damaged part, what precedes the damage. */
async function inflated(bytes: Uint8Array, limit: number): Promise<string> {
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  let text = '';
  try {
    while (text.length < limit) {
      const { done, value } = await reader.read();
      if (done) break;
      text += latin1(value);
    }
    await reader.cancel();
  } catch {
    // A line end follows the compressed bytes; that is not damage.
  }
  return text;
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
