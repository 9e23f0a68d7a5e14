/** The encodings of files, by the names that the editor has for them, such as `utf8`, `windows1252` and `shiftjis`. */
export interface TextEncodings {
  /** The one in which the editor would open a file that has this content. */
  of(uri: string, content: Uint8Array): Promise<string>;
  /** The one in which the editor would save a new file. */
  ofNew(uri: string): Promise<string>;
  /** @param bytes without a byte order mark; what is no text becomes U+FFFD */
  decode(bytes: Uint8Array, encoding: string): Promise<string>;
  /** Without a byte order mark; characters that the encoding lacks become others. */
  encode(text: string, encoding: string): Promise<Uint8Array>;
}

const MARKS: Readonly<Record<string, readonly number[]>> = {
  utf8bom: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
};

export interface ByteOrderMark {
  readonly encoding: string;
  readonly length: number;
}

/** The mark at the beginning of a file. */
export function markOf(content: Uint8Array): ByteOrderMark | undefined {
  for (const [encoding, mark] of Object.entries(MARKS)) {
    if (mark.every((byte, index) => content[index] === byte)) return { encoding, length: mark.length };
  }
  return undefined;
}

/** The mark that the editor writes; empty for most encodings. */
export function markFor(encoding: string): Uint8Array {
  return Uint8Array.from(MARKS[encoding] ?? []);
}

/** How many bytes VS Code looks at. */
const LOOKED_AT = 512;

/**
 * UTF-16 without a mark, as VS Code recognizes it: every other byte is zero at the beginning. Those between are of text,
 * which VS Code does not check.
 */
export function utf16Of(content: Uint8Array): 'utf16le' | 'utf16be' | undefined {
  const start = content.subarray(0, LOOKED_AT);
  if (!start.includes(0) || content.length % 2 !== 0) return undefined;
  const isZeroAt = (rest: 0 | 1): boolean =>
    start.every((byte, index) => (index % 2 === rest ? byte === 0 : byte >= 0x20 || BLANKS.has(byte)));
  if (isZeroAt(1)) return 'utf16le';
  return isZeroAt(0) ? 'utf16be' : undefined;
}

/** Tab, line feed, form feed, carriage return. */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);

export function isUtf16(encoding: string): encoding is 'utf16le' | 'utf16be' {
  return encoding === 'utf16le' || encoding === 'utf16be';
}

/** Those that every machine has. */
export function isUnicode(encoding: string): boolean {
  return isUtf16(encoding) || encoding === 'utf8' || encoding === 'utf8bom';
}

/** Files in Unicode, without what the editor knows: in UTF-8 where nothing in a file says otherwise. */
export const unicodeEncodings: TextEncodings = {
  of: (_uri, content) => Promise.resolve(markOf(content)?.encoding ?? utf16Of(content) ?? 'utf8'),
  ofNew: () => Promise.resolve('utf8'),
  decode: (bytes, encoding) => Promise.resolve(decodeUnicode(bytes, encoding)),
  encode: (text, encoding) =>
    Promise.resolve(
      isUtf16(encoding) ? encodeUtf16(text, encoding === 'utf16le') : new TextEncoder().encode(text),
    ),
};

function decodeUnicode(bytes: Uint8Array, encoding: string): string {
  const label = isUtf16(encoding) ? encoding.replace('utf16', 'utf-16') : 'utf-8';
  return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
}

function encodeUtf16(text: string, isLittleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(2 * index, text.charCodeAt(index), isLittleEndian);
  }
  return bytes;
}
