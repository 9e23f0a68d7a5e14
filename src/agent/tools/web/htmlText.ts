import { streamHtmlToMarkdown } from '@mdream/js/core';
import type { ElementNode, TextNode } from '@mdream/js';
import { hiddenByStyle, type Ground } from './hiddenByStyle.ts';

export interface HtmlText {
  readonly title: string;
  /** In Markdown, with whole addresses. */
  readonly text: string;
}

/** What has nothing to read in it, is no part of the text, or is there for other programs. */
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

/** Classes by which pages hide text from those who see. */
const UNSEEN = /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text)(?:\s|$)/u;

/** The main part of a page stands for all of it if it has at least this much text, in UTF-16 units. */
const MAIN_LENGTH = 200;

/** The library fails in these where no table is around them, as in the middle of a page that was cut. */
const IN_TABLES: ReadonlySet<string> = new Set([
  ...['thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'colgroup', 'col'],
]);

/** Markdown knows none of these; the library would write them as HTML. */
const SHOWN_AS = { dl: 'div', dt: 'p', dd: 'p', details: 'div', summary: 'p' };

/** How much is read at once, in UTF-16 units: others have their turn in between. */
const PIECE = 200_000;

/** What is to be read of a page of HTML, without what it hides, and without what frames it. */
export async function htmlText(html: string, url: URL, signal: AbortSignal): Promise<HtmlText> {
  if (/<main[\s>]/iu.test(html)) {
    const main = await convert(html, url, { isMainOnly: true, signal });
    if (main.text.length >= MAIN_LENGTH) return main;
  }
  return convert(html, url, { isMainOnly: false, signal });
}

interface Marks {
  /** It is left out, with all in it. */
  readonly isOut: boolean;
  readonly isMain: boolean;
  /** It is a table that is written, or in one. */
  readonly isTable: boolean;
  readonly ground: Ground;
}

const NO_MARKS: Marks = { isOut: false, isMain: false, isTable: false, ground: {} };

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
    const isTable = around.isTable || (element.name === 'table' && isWritten);
    const made = { isOut, isMain, isTable, ground };
    marks.set(element, made);
    return made;
  };
  const skipsElement = (element: ElementNode): boolean => {
    if (element.name === 'base') base = resolved(element.attributes['href'], url) ?? base;
    withWholeAddresses(element, base);
    // An element around the main part is gone through, not written.
    const { isOut, isMain, isTable } = marksOf(element);
    if (isOut || (isMainOnly && !isMain)) return true;
    return element.name === 'img' ? !isShownPicture(element) : !isTable && IN_TABLES.has(element.name);
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

/** Links lead to the web, or are text; pictures are what is said of them. */
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
