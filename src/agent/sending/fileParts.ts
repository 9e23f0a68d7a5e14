import { fromBase64, toBase64 } from '../../engine/base64.ts';
import { imageTypeOf } from '../attachments/imageType.ts';
import { pictureSize, type PictureSize } from './pictureSize.ts';
import { textPart, type FilePart, type TalkMessage, type UserPart } from './prompt.ts';
import type { Dialect, Target } from './target.ts';

/** What a provider takes of files. */
interface Rules {
  readonly images: readonly string[];
  readonly readsPdf: boolean;
  /** Of a picture, in bytes of base64. */
  readonly maxBytes?: number;
  /** Of a picture, in pixels a side. */
  readonly maxSide?: number;
  /** With more pictures than `count` in a request, none may have a longer side than this. */
  readonly many?: { readonly count: number; readonly maxSide: number };
  /** How many there may be in a request. */
  readonly maxCount?: number;
}

const common = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const rules: Readonly<Record<Dialect, Rules>> = {
  anthropic: {
    images: common,
    readsPdf: true,
    maxBytes: 5 * 1024 * 1024,
    maxSide: 8_000,
    many: { count: 20, maxSide: 2_000 },
    maxCount: 100,
  },
  openaiResponses: { images: common, readsPdf: true },
  openaiChat: { images: common, readsPdf: true },
  google: {
    images: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    readsPdf: true,
  },
  groq: { images: common, readsPdf: false, maxBytes: 4 * 1024 * 1024, maxCount: 5 },
  ollama: { images: ['image/png', 'image/jpeg', 'image/webp'], readsPdf: false },
  vscodeLm: { images: common, readsPdf: false },
  compatible: { images: common, readsPdf: false },
};

/** Files that are text, whatever they are called. */
const IS_TEXT = /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|toml|javascript|typescript)$/u;

/**
 * Gives files a form the target takes: what is text goes as text, and what it cannot read is named instead. The newest
 * pictures go first where there may be only so many.
 */
export function fitFiles(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const rule = rules[target.dialect];
  const pictures = messages
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .filter((part): part is FilePart => part.type === 'file' && isPicture(part))
    .map(readPicture);
  const readable = pictures.filter((picture) => problemOf(picture, rule, rule.maxSide) === undefined);
  const chosen = new Set(rule.maxCount === undefined ? readable : readable.slice(-rule.maxCount));
  const { many } = rule;
  const maxSide = many !== undefined && chosen.size > many.count ? many.maxSide : rule.maxSide;
  const pictureOf = new Map(pictures.map((picture) => [picture.part, picture]));
  const fit = (part: UserPart): UserPart => {
    if (part.type !== 'file') return part;
    const picture = pictureOf.get(part);
    if (picture === undefined) return fitDocument(part, rule);
    const problem =
      problemOf(picture, rule, maxSide) ??
      (chosen.has(picture) ? undefined : 'there are too many in this request');
    return problem === undefined ? { ...part, mediaType: picture.type } : leftOut('An image', part, problem);
  };
  return messages.map((message) =>
    message.role === 'user' ? { ...message, content: message.content.map(fit) } : message,
  );
}

function isPicture({ mediaType }: FilePart): boolean {
  return mediaType.startsWith('image/');
}

interface Picture {
  readonly part: FilePart;
  /** What its bytes are: a picture under the name of another kind is refused. */
  readonly type: string;
  /** In base64; undefined where its bytes are not at hand. */
  readonly data: string | undefined;
  /** Undefined where its bytes do not say. */
  readonly size: PictureSize | undefined;
}

/** How much of a picture is looked at, in base64: headers are short, but a photograph's may hold a preview of itself. */
const HEADER = 256 * 1024;

/** Looks through a picture once, for it may be large. */
function readPicture(part: FilePart): Picture {
  const data = base64Of(part);
  const header = fromBase64((data ?? '').slice(0, HEADER));
  return { part, data, type: imageTypeOf(header) ?? part.mediaType, size: pictureSize(header) };
}

/** Why a picture cannot go. */
function problemOf(
  { type, data, size }: Picture,
  rule: Rules,
  maxSide: number | undefined,
): string | undefined {
  if (!rule.images.includes(type)) return `this model does not read ${type}`;
  if (data === undefined || data === '') return 'its bytes are missing';
  if (rule.maxBytes !== undefined && data.length > rule.maxBytes) return 'it is too large for this model';
  return size !== undefined && maxSide !== undefined && Math.max(size.width, size.height) > maxSide
    ? `it has more than ${maxSide} pixels a side`
    : undefined;
}

function fitDocument(part: FilePart, { readsPdf }: Rules): UserPart {
  if (IS_TEXT.test(part.mediaType)) {
    const text = textOf(part);
    if (text !== undefined && text.trim() !== '') return textPart(`[The file ${nameOf(part)}:]\n${text}`);
    return leftOut('A file', part, 'it has no text');
  }
  if (part.mediaType === 'application/pdf' && readsPdf && base64Of(part) !== undefined) return part;
  return leftOut('A file', part, `this model does not read ${part.mediaType}`);
}

function textOf(part: FilePart): string | undefined {
  if (part.data.type === 'text') return part.data.text;
  const data = base64Of(part);
  return data === undefined ? undefined : new TextDecoder().decode(fromBase64(data));
}

const NOT_BASE64 = /[^A-Za-z0-9+/]/u;

/** One expression for all of it would keep each group of four in mind, for which some megabytes are too many. */
function isBase64(text: string): boolean {
  const padding = /={0,2}$/u.exec(text.slice(-2))?.[0].length ?? 0;
  return text.length % 4 === 0 && !NOT_BASE64.test(text.slice(0, text.length - padding));
}

/** The bytes as they are sent; undefined where they are not at hand (nothing is fetched) or are no base64. */
function base64Of({ data }: FilePart): string | undefined {
  const found = data.type === 'data' ? data.data : data.type === 'url' ? embedded(data.url) : undefined;
  if (found === undefined) return undefined;
  const base64 = typeof found === 'string' ? found : toBase64(found);
  return isBase64(base64) ? base64 : undefined;
}

function embedded({ href }: URL): string | undefined {
  return /^data:[^,]*;base64,(.*)$/su.exec(href)?.[1];
}

function nameOf({ filename }: FilePart): string {
  return `“${filename ?? 'unnamed'}”`;
}

function leftOut(what: string, part: FilePart, problem: string): UserPart {
  return textPart(`[${what}, ${nameOf(part)}, was left out: ${problem}.]`);
}
