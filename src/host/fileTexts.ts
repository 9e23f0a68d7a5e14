import { textLines } from '../base/textLines.ts';
import { isSameBytes } from '../base/sameBytes.ts';
import { TextEncodingError } from './textEncodingError.ts';
import { isUtf16, markFor, markOf, type TextEncodings } from './textEncodings.ts';

/** How many bytes of a file are checked for being text. */
const LOOKED_AT = 8_000;

/** The texts of files in the encodings that the editor opens and saves them in. */
export class FileTexts {
  constructor(private readonly encodings: TextEncodings) {}

  async read(uri: string, content: Uint8Array): Promise<FileText> {
    const known = await this.encodings.of(uri, content);
    const isBinary = !isUtf16(known) && content.subarray(0, LOOKED_AT).includes(0);
    // The editor decodes nothing binary.
    const encoding = isBinary ? 'utf8' : known;
    const mark = content.subarray(0, markOf(content)?.length ?? 0);
    const bytes = content.subarray(mark.length);
    const text = await this.encodings.decode(bytes, encoding);
    return new FileText(this.encodings, { encoding, isBinary, mark, bytes, text });
  }

  /** The content of a new file. @throws TextEncodingError for a character that its encoding lacks */
  async contentOfNew(uri: string, text: string): Promise<Uint8Array> {
    return this.contentOf(text, await this.encodings.ofNew(uri));
  }

  /** What the editor saves. @throws TextEncodingError for a character that the encoding lacks */
  async contentOf(text: string, encoding: string): Promise<Uint8Array> {
    return joined([markFor(encoding), await encodeExactly(this.encodings, text, encoding, 1)]);
  }
}

interface FileTextParts {
  readonly encoding: string;
  /** It holds a zero at its beginning. */
  readonly isBinary: boolean;
  /** The byte order mark; empty where there is none. */
  readonly mark: Uint8Array;
  /** Those after the mark. */
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** The text of a file, without its byte order mark and with its own line ends. */
export class FileText {
  readonly encoding: string;
  readonly isBinary: boolean;
  readonly text: string;

  constructor(
    private readonly encodings: TextEncodings,
    private readonly parts: FileTextParts,
  ) {
    this.encoding = parts.encoding;
    this.isBinary = parts.isBinary;
    this.text = parts.text;
  }

  /** Whether each byte is part of its text. */
  async isWhole(): Promise<boolean> {
    const { bytes, encoding, text } = this.parts;
    return isSameBytes(await this.encodings.encode(text, encoding), bytes);
  }

  /**
   * The content of the file with another text. Lines that are in both keep their bytes, also those that are no text.
   * @throws TextEncodingError for a character that its encoding lacks, or a changed line with bytes that are no text
   */
  async contentWith(after: string): Promise<Uint8Array> {
    const { encodings } = this;
    const { encoding, mark, bytes, text } = this.parts;
    const [old, now] = [textLines(text), textLines(after)];
    const oldBytes = byteLinesOf(bytes, encoding);
    // In no encoding of the editor a line feed is part of another character.
    if (oldBytes.length !== old.length) throw new TextEncodingError('not-text', encoding, 1);
    const { start, end } = commonLines(old, now);
    const gone = new Map<string, number[]>();
    for (let index = start; index < old.length - end; index += 1) {
      const line = old[index] ?? '';
      const known = gone.get(line);
      if (known) known.push(index);
      else gone.set(line, [index]);
    }
    // Each line as the index of the old one whose bytes it keeps, or as its text.
    const changed = now.slice(start, now.length - end).map((line) => gone.get(line)?.shift() ?? line);
    await this.refuseDamage([...gone.values()].flat(), old, oldBytes);
    const result = [mark, ...oldBytes.slice(0, start)];
    for (let index = 0; index < changed.length;) {
      const line = changed[index];
      if (typeof line === 'number') {
        result.push(oldBytes[line] ?? new Uint8Array());
        index += 1;
        continue;
      }
      const next = changed.findIndex((each, at) => at > index && typeof each === 'number');
      const added = changed.slice(index, next < 0 ? changed.length : next);
      result.push(await encodeExactly(encodings, added.join(''), encoding, start + index + 1));
      index += added.length;
    }
    return joined([...result, ...oldBytes.slice(old.length - end)]);
  }

  /** Bytes that are no text would be lost with the line that they are in. */
  private async refuseDamage(
    indexes: readonly number[],
    lines: readonly string[],
    bytes: readonly Uint8Array[],
  ): Promise<void> {
    const { encoding } = this.parts;
    const isText = async (some: readonly number[]): Promise<boolean> =>
      isSameBytes(
        await this.encodings.encode(some.map((index) => lines[index] ?? '').join(''), encoding),
        joined(some.map((index) => bytes[index] ?? new Uint8Array())),
      );
    if (indexes.length === 0 || (await isText(indexes))) return;
    const inOrder = indexes.toSorted((a, b) => a - b);
    let first = inOrder[0] ?? 0;
    for (const index of inOrder) {
      first = index;
      if (!(await isText([index]))) break;
    }
    throw new TextEncodingError('not-text', encoding, first + 1);
  }
}

/** @param line that of the text's beginning, from 1 @throws TextEncodingError */
async function encodeExactly(
  encodings: TextEncodings,
  text: string,
  encoding: string,
  line: number,
): Promise<Uint8Array> {
  if (text === '') return new Uint8Array();
  const bytes = await encodings.encode(text, encoding);
  const read = await encodings.decode(bytes, encoding);
  if (read === text) return bytes;
  let at = 0;
  while (at < text.length && text[at] === read[at]) at += 1;
  // The second half of a character outside the basic plane.
  if (/[\udc00-\udfff]/u.test(text[at] ?? '') && /[\ud800-\udbff]/u.test(text[at - 1] ?? '')) at -= 1;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  const lines = text.slice(0, at).split('\n').length;
  throw new TextEncodingError('not-encodable', encoding, line + lines - 1, character);
}

function byteLinesOf(bytes: Uint8Array, encoding: string): Uint8Array[] {
  const size = isUtf16(encoding) ? 2 : 1;
  const [first, second] = encoding === 'utf16be' ? [0, 0x0a] : [0x0a, 0];
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at + size <= bytes.length; at += size) {
    if (bytes[at] !== first || (size === 2 && bytes[at + 1] !== second)) continue;
    lines.push(bytes.subarray(start, at + size));
    start = at + size;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

/** How many lines two texts share at their start, and at their end. */
function commonLines(old: readonly string[], now: readonly string[]): { start: number; end: number } {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { start, end };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
