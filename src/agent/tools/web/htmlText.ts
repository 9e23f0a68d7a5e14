import { streamHtmlToMarkdown } from '@mdream/js/core';
import type { ElementNode, TextNode } from '@mdream/js';

export interface HtmlText {
  readonly title: string;
  /** In Markdown, with absolute URLs. */
  readonly text: string;
}

/** Elements without readable content, outside the text, or for other programs. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    'script',
    'style',
    'noscript',
    'template',
    'svg',
    'iframe',
    'object',
    'embed',
    'canvas',
    'audio',
    'video',
  ],
  ...['nav', 'footer', 'button', 'input', 'select', 'option', 'textarea', 'datalist', 'dialog'],
]);

/** Classes that pages use to hide text visually. */
const UNSEEN = /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text)(?:\s|$)/u;

/** The main part of a page replaces the whole if it has at least this much text, in UTF-16 units. */
const MAIN_LENGTH = 200;

/** The library fails on these outside a table, as in a page that was cut. */
const IN_TABLES: ReadonlySet<string> = new Set([
  ...['thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'colgroup', 'col'],
]);

const CELLS: ReadonlySet<string> = new Set(['th', 'td']);

/** Not available in Markdown; the library would write them as HTML. */
const SHOWN_AS = { dl: 'div', dt: 'p', dd: 'p', details: 'div', summary: 'p' };

/** How much is processed at once, in UTF-16 units: other work runs in between. */
const PIECE = 200_000;

/** The readable text of an HTML page, without hidden content and without navigation. */
export async function htmlText(html: string, url: URL, signal: AbortSignal): Promise<HtmlText> {
  if (/<main[\s>]/iu.test(html)) {
    const main = await convert(html, url, { isMainOnly: true, signal });
    if (main.text.length >= MAIN_LENGTH) return main;
  }
  return convert(html, url, { isMainOnly: false, signal });
}

interface Marks {
  /** Omitted with all its content. */
  readonly isOut: boolean;
  readonly isMain: boolean;
  /** It is a written table, or inside one. */
  readonly isTable: boolean;
  /** It is a table, or inside one, written or not. */
  readonly hasTable: boolean;
  /** It is a cell without a table, or inside one: the library fails on a table there. */
  readonly isLoose: boolean;
  readonly ground: Ground;
}

const NO_MARKS: Marks = {
  isOut: false,
  isMain: false,
  isTable: false,
  hasTable: false,
  isLoose: false,
  ground: {},
};

async function convert(
  html: string,
  url: URL,
  { isMainOnly, signal }: { readonly isMainOnly: boolean; readonly signal: AbortSignal },
): Promise<HtmlText> {
  const marks = new WeakMap<ElementNode, Marks>();
  let base = url;
  let title = '';
  const marksOf = (element: ElementNode): Marks => {
    const known = marks.get(element);
    if (known) return known;
    const around = (element.parent && marks.get(element.parent)) ?? NO_MARKS;
    const ground = hiddenByStyle(element.attributes['style'] ?? '', around.ground);
    const isOut = around.isOut || ground.isHidden || isLeftOut(element);
    const isMain = around.isMain || element.name === 'main';
    const isWritten = !isOut && (isMain || !isMainOnly);
    const hasTable = around.hasTable || element.name === 'table';
    const isLoose = around.isLoose || (!hasTable && CELLS.has(element.name));
    const isTable = around.isTable || (element.name === 'table' && isWritten && !isLoose);
    const made = { isOut, isMain, isTable, hasTable, isLoose, ground };
    marks.set(element, made);
    return made;
  };
  const skipsElement = (element: ElementNode): boolean => {
    if (element.name === 'base') base = resolved(element.attributes['href'], url) ?? base;
    withWholeAddresses(element, base);
    // An element around the main part is traversed, not written.
    const { isOut, isMain, isTable, isLoose } = marksOf(element);
    if (isOut || (isMainOnly && !isMain)) return true;
    if (element.name === 'img') return !isShownPicture(element);
    return !isTable && (IN_TABLES.has(element.name) || (isLoose && element.name === 'table'));
  };
  const skipsText = ({ value, parent }: TextNode): boolean => {
    if (parent?.name === 'title') {
      if (title === '' && parent.parent?.name !== 'svg') title = value;
      return true;
    }
    const { isOut, isMain } = parent ? marksOf(parent) : NO_MARKS;
    return isOut || (isMainOnly && !isMain);
  };
  const written = streamHtmlToMarkdown(inPieces(html), {
    hooks: [
      {
        beforeNodeProcess: ({ node }) => ({
          skip: isElement(node) ? skipsElement(node) : isText(node) && skipsText(node),
        }),
        excludesOverflowSubtree: (element) => marksOf(element).isOut,
      },
    ],
    plugins: { tagOverrides: SHOWN_AS },
  });
  const pieces: string[] = [];
  for await (const piece of written) {
    signal.throwIfAborted();
    pieces.push(piece);
  }
  return { title: title.replaceAll(/\s+/gu, ' ').trim(), text: pieces.join('').trim() };
}

function inPieces(html: string): ReadableStream<string> {
  let at = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve));
        controller.enqueue(html.slice(at, at + PIECE));
        at += PIECE;
        if (at >= html.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function isLeftOut({ name, attributes }: ElementNode): boolean {
  return (
    LEFT_OUT.has(name) ||
    attributes['hidden'] !== undefined ||
    attributes['aria-hidden']?.toLowerCase() === 'true' ||
    UNSEEN.test(attributes['class'] ?? '')
  );
}

/** Makes links absolute web URLs or plain text, and replaces pictures with their descriptions. */
function withWholeAddresses(element: ElementNode, base: URL): void {
  const { name, attributes } = element;
  if (name === 'a') {
    const href =
      attributes['href']?.startsWith('#') === true ? undefined : resolved(attributes['href'], base);
    if (href) attributes['href'] = href.href;
    else delete attributes['href'];
    delete attributes['title'];
  } else if (name === 'img') {
    const source = resolved(attributes['src'], base);
    if (source) attributes['src'] = source.href;
    else delete attributes['src'];
  }
}

function isShownPicture({ attributes }: ElementNode): boolean {
  return attributes['src'] !== undefined && (attributes['alt']?.trim() ?? '') !== '';
}

function resolved(href: string | undefined, base: URL): URL | undefined {
  const url = href === undefined ? null : URL.parse(href.trim(), base);
  return url && /^(?:https?|mailto):$/u.test(url.protocol) ? url : undefined;
}

function isElement(node: { readonly type: number }): node is ElementNode {
  return node.type === 1;
}

function isText(node: { readonly type: number }): node is TextNode {
  return node.type === 2;
}

/** The color of text and its background, as set by the styles of the surrounding elements. */
interface Ground {
  readonly text?: string | undefined;
  readonly behind?: string | undefined;
}

/** The longest style that is examined, in UTF-16 units. */
const MAX_STYLE = 2_000;

/** Declarations that make content invisible, by property. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none$/u,
  visibility: /^(?:hidden|collapse)$/u,
  'content-visibility': /^hidden$/u,
  opacity: /^(?=.)0*(?:\.0\d*)?%?$/u,
  'font-size': /^(?=.)(?:0*(?:\.\d+)?(?:px|pt|%)?|0*(?:\.[01]\d*)?r?em|1px)$/u,
  'text-indent': /^-\d{3,}/u,
  left: /^-\d{4,}/u,
  right: /^-\d{4,}/u,
  top: /^-\d{4,}/u,
  clip: /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]/u,
  'clip-path': /^(?:inset\((?:50|100)%|circle\(0)/u,
  transform: /^scale\(0\)/u,
  color: /^transparent$/u,
};

/** Sizes with no room for content, if overflow is hidden. */
const NO_ROOM = /^[01](?:\.0+)?(?:px|r?em|%)?$/u;
const SIZES = ['width', 'height', 'max-width', 'max-height'];

function hiddenByStyle(style: string, around: Ground): Ground & { readonly isHidden: boolean } {
  if (style === '') return { ...around, isHidden: false };
  const declared = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE).toLowerCase().split(';')) {
    const at = declaration.indexOf(':');
    if (at < 0) continue;
    const value = declaration.slice(at + 1).replace('!important', '');
    declared.set(declaration.slice(0, at).trim(), value.trim());
  }
  const own = declared.get('background-color') ?? firstWord(declared.get('background'));
  const text = plainColor(declared.get('color')) ?? around.text;
  const behind = own === undefined ? around.behind : plainColor(own);
  const isHidden =
    [...declared].some(([property, value]) => HIDING[property]?.test(value) ?? false) ||
    (declared.get('overflow') === 'hidden' && SIZES.some((size) => NO_ROOM.test(declared.get(size) ?? '')));
  return { text, behind, isHidden: isHidden || isUnseen(text, behind, own !== undefined) };
}

/** If no background is set, the page's is white. */
function isUnseen(text: string | undefined, behind: string | undefined, hasGround: boolean): boolean {
  return text !== undefined && (behind ?? (hasGround ? undefined : 'white')) === text;
}

const firstWord = (value: string | undefined): string | undefined => value?.split(/\s(?![^(]*\))/u)[0];

/** Normalizes the spellings of white and black; other colors stay unchanged. */
function plainColor(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || /^(?:inherit|initial|unset|currentcolor|var\()/u.test(value))
    return undefined;
  const color = value.replaceAll(/\s+/gu, '');
  if (/^(?:white|#f{3,4}|#f{6}|#f{8}|rgba?\(255,255,255(?:,1)?\))$/u.test(color)) return 'white';
  return /^(?:black|#0{3}|#0{6}|rgba?\(0,0,0(?:,1)?\))$/u.test(color) ? 'black' : color;
}
