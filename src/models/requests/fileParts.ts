import { readDataUrl } from '../../base/dataUrl.ts';
import { fromBase64, toBase64 } from '../../engine/bytes.ts';
import { imageTypeOf, PDF_TYPE, pdfFacts } from '../messages/messageFiles.ts';
import { pdfLimitsOf } from '../modelProviders.ts';
import type { Target } from '../providerFacts.ts';
import type { ImageLimits, PdfLimits } from '../providerFacts.ts';
import { pictureSize, type PictureSize } from '../messages/imageProblem.ts';
import { textPart, type FilePart, type TalkMessage, type TextPart } from './prompt.ts';
import { filesInResults, isResultFile } from './resultFiles.ts';

const IS_TEXT = /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|toml|javascript|typescript)$/u;

/** Text is sent as text, an unreadable file replaced with its name. The newest pictures and PDFs win under a limit. */
export function fitFiles(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const { images: limits = {} } = target.provider;
  const files = messages.flatMap(filesIn);
  const pictures = files.filter(isPicture).map(readPicture);
  const readable = pictures.filter((picture) => problemOf(picture, limits, limits.maxSide) === undefined);
  const chosen = new Set(limits.maxCount === undefined ? readable : readable.slice(-limits.maxCount));
  const { many } = limits;
  const maxSide = many !== undefined && chosen.size > many.count ? many.maxSide : limits.maxSide;
  const pictureOf = new Map(pictures.map((picture) => [picture.part, picture]));
  const pdfProblems = problemsOfPdfs(
    files.filter(({ mediaType }) => mediaType === PDF_TYPE),
    pdfLimitsOf(target),
  );
  const fit = (part: FilePart): FilePart | TextPart => {
    const picture = pictureOf.get(part);
    if (picture === undefined) return fitDocument(part, pdfProblems);
    const problem =
      problemOf(picture, limits, maxSide) ??
      (chosen.has(picture) ? undefined : 'there are too many in this request');
    return problem === undefined ? { ...part, mediaType: picture.type } : leftOut('An image', part, problem);
  };
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return {
          ...message,
          content: message.content.map((part) => (part.type === 'file' ? fit(part) : part)),
        };
      case 'tool':
        return {
          ...message,
          content: message.content.map((part) => {
            if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
            const value = part.output.value.map((item) => (isResultFile(item) ? fit(item) : item));
            return { ...part, output: { ...part.output, value } };
          }),
        };
      case 'assistant':
        return message;
    }
  });
}

function filesIn(message: TalkMessage): FilePart[] {
  if (message.role !== 'user') return filesInResults(message);
  return message.content.filter((part): part is FilePart => part.type === 'file');
}

function isPicture({ mediaType }: FilePart): boolean {
  return mediaType.startsWith('image/');
}

interface Picture {
  readonly part: FilePart;
  /** The type of its bytes: a picture declared as another type is refused. */
  readonly type: string;
  /** In base64; undefined if its bytes are not available. */
  readonly data: string | undefined;
  /** Undefined if its bytes do not contain it. */
  readonly size: PictureSize | undefined;
}

/** How much of a picture is read, in base64: headers are short, but a photograph's may contain a preview. */
const HEADER = 256 * 1024;

/** Reads a picture once, because it may be large. */
function readPicture(part: FilePart): Picture {
  const data = base64Of(part);
  const header = fromBase64((data ?? '').slice(0, HEADER));
  return { part, data, type: imageTypeOf(header) ?? part.mediaType, size: pictureSize(header) };
}

/** The pictures that most models read. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function problemOf(
  { type, data, size }: Picture,
  { types = IMAGE_TYPES, maxBytes }: ImageLimits,
  maxSide: number | undefined,
): string | undefined {
  if (!types.includes(type)) return `this model does not read ${type}`;
  if (data === undefined || data === '') return 'its bytes are missing';
  if (maxBytes !== undefined && data.length > maxBytes) return 'it is too large for this model';
  return size !== undefined && maxSide !== undefined && Math.max(size.width, size.height) > maxSide
    ? `it has more than ${maxSide} pixels a side`
    : undefined;
}

/** Why PDFs cannot be sent, by part: the newest are sent, as many as fit. */
function problemsOfPdfs(
  pdfs: readonly FilePart[],
  limits: PdfLimits | undefined,
): ReadonlyMap<FilePart, string | undefined> {
  const problems = new Map<FilePart, string | undefined>();
  let bytes = 0;
  let count = 0;
  for (const part of pdfs.toReversed()) {
    const data = base64Of(part);
    const { pages = 1 } = pdfFacts(part.providerOptions);
    const problem = (): string | undefined => {
      if (limits === undefined) return `this model does not read ${PDF_TYPE}`;
      if (data === undefined || data === '') return 'its bytes are missing';
      const { maxBytes, maxPages } = limits;
      if (bytes + data.length > maxBytes) return 'it is too large for this model, or is with the others';
      return maxPages !== undefined && count + pages > maxPages
        ? `this model reads at most ${maxPages} pages in one request`
        : undefined;
    };
    const found = problem();
    problems.set(part, found);
    if (found === undefined) {
      bytes += data?.length ?? 0;
      count += pages;
    }
  }
  return problems;
}

function fitDocument(
  part: FilePart,
  pdfProblems: ReadonlyMap<FilePart, string | undefined>,
): FilePart | TextPart {
  if (IS_TEXT.test(part.mediaType)) {
    const text = textOf(part);
    if (text !== undefined && text.trim() !== '') return textPart(`[The file ${nameOf(part)}:]\n${text}`);
    return leftOut('A file', part, 'it has no text');
  }
  const isPdf = pdfProblems.has(part);
  const problem = isPdf ? pdfProblems.get(part) : `this model does not read ${part.mediaType}`;
  if (problem !== undefined) return leftOut(isPdf ? 'A PDF' : 'A file', part, problem);
  // The page count is not sent to the model.
  const { providerOptions: _facts, ...sent } = part;
  return sent;
}

function textOf(part: FilePart): string | undefined {
  if (part.data.type === 'text') return part.data.text;
  const data = base64Of(part);
  return data === undefined ? undefined : new TextDecoder().decode(fromBase64(data));
}

const NOT_BASE64 = /[^A-Za-z0-9+/]/u;

/** A single expression would capture each group of four, which is too much for megabytes of text. */
function isBase64(text: string): boolean {
  const padding = /={0,2}$/u.exec(text.slice(-2))?.[0].length ?? 0;
  return text.length % 4 === 0 && !NOT_BASE64.test(text.slice(0, text.length - padding));
}

/** The bytes to send; undefined if they are not available (nothing is fetched) or not valid base64. */
function base64Of({ data }: FilePart): string | undefined {
  const found =
    data.type === 'data' ? data.data : data.type === 'url' ? readDataUrl(data.url.href)?.base64 : undefined;
  if (found === undefined) return undefined;
  const base64 = typeof found === 'string' ? found : toBase64(found);
  return isBase64(base64) ? base64 : undefined;
}

function nameOf({ filename }: FilePart): string {
  return `“${filename ?? 'unnamed'}”`;
}

function leftOut(what: string, part: FilePart, problem: string): TextPart {
  return textPart(`[${what}, ${nameOf(part)}, was left out: ${problem}.]`);
}
