import { MAX_PAGE_TITLE } from '../../../engine/fetchedPages.ts';
import type { PageReply } from '../../../host/webReader.ts';
import { ToolError } from '../toolError.ts';
import { startOf } from '../textLimits.ts';
import { htmlText, type HtmlText } from './htmlText.ts';

/** Document types that are text; without a type, the content is examined. */
const TEXT =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)$|application\/(?:x-)?(?:javascript|ndjson|yaml|toml|markdown)$)/u;

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/u;

/** How far into a document its charset may be declared, in bytes (HTML standard, 4.2.5.4). */
const META_LENGTH = 1_024;

/** How much is examined to recognize text, in bytes. */
const SNIFFED = 1_024;

export function isTextType(contentType: string | undefined): boolean {
  return contentType === undefined || TEXT.test(typeOf(contentType));
}

/** The text of a document: for HTML, its title and Markdown; all else unchanged. @throws ToolError */
export async function pageText(
  { body = new Uint8Array(), contentType }: Pick<PageReply, 'body' | 'contentType'>,
  url: URL,
  signal: AbortSignal,
): Promise<HtmlText> {
  const type = typeOf(contentType ?? '');
  const label = charsetOf(body, contentType, type);
  const isWide = /^utf-?16/iu.test(label ?? '');
  if (!isWide && body.subarray(0, SNIFFED).includes(0)) {
    throw new ToolError(`${url.host} sent something that is no text. Nothing of it can be read.`, 'not-text');
  }
  const text = decoderOf(label).decode(body).replaceAll('\r\n', '\n').toWellFormed();
  const isHtml = type === '' ? /^\s*<(?:!doctype html|html|head|body)[\s>]/iu.test(text) : HTML.test(type);
  if (!isHtml) return { title: '', text };
  const { title, text: markdown } = await htmlText(text, url, signal);
  return { title: startOf(title, MAX_PAGE_TITLE), text: markdown.toWellFormed() };
}

function typeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The charset from its first bytes, the server, or the document, in this order. */
function charsetOf(body: Uint8Array, contentType: string | undefined, type: string): string | undefined {
  const marked = byteOrderMark(body);
  if (marked !== undefined) return marked;
  const charset = /charset\s*=\s*["']?([^\s"';]+)/iu.exec(contentType ?? '')?.[1];
  if (charset !== undefined) return charset;
  if (type !== '' && !HTML.test(type) && !type.endsWith('xml')) return undefined;
  const start = new TextDecoder('latin1').decode(body.subarray(0, META_LENGTH));
  return /<(?:meta\s[^>]*?charset|\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)/iu.exec(start)?.[1];
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** An unknown charset is treated as the one nearly all pages use. */
function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
