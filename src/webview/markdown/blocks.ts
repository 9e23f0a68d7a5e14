import { Lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { withoutAnsi } from './ansi.ts';
import { isTooDeep, escapeHtml } from './htmlBounds.ts';
import { codeInfo } from './fileMentions.ts';
import { mathsSyntax, mayHaveMaths } from './mathsSyntax.ts';

/** A block of an answer, or of a list or quotation in it. Blocks that look the same are equal. */
export type Block =
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly code: string;
      /** The file it is for, if given. */
      readonly file?: string;
      /** With its terminal codes, if any; `code` is without them. */
      readonly ansi?: string;
    }
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly Item[] };

/** `isDone` for an item of a task list. */
export interface Item {
  readonly isDone: boolean | undefined;
  readonly blocks: readonly Block[];
}

/** A longer paragraph is shown as source: parsing it can take quadratic time. */
const MAX_INLINE = 20_000;

/** A table with more rows or cells is shown as source. */
const MAX_ROWS = 500;
const MAX_TABLE_CELLS = 5_000;

/** Lists and quotations nested more deeply are shown as source. */
const MAX_DEPTH = 20;

type Links = Lexer['tokens']['links'];

class AnswerRenderer extends Renderer {
  /** Nothing is loaded: an image that is not embedded is shown as its description and address. */
  override image({ href, text }: Tokens.Image): string {
    const address = escapeHtml(href);
    const artifact = /^artifact:(.+)$/i.exec(href)?.[1];
    if (artifact !== undefined)
      return `<img data-artifact="${escapeHtml(artifact)}" alt="${escapeHtml(text)}">`;
    if (/^data:/i.test(href)) return `<img src="${address}" alt="${escapeHtml(text)}">`;
    return `<a href="${address}">${escapeHtml(text === '' ? href : text)}</a>`;
  }

  /** The list shows it. */
  override checkbox(): string {
    return '';
  }
}

const options = { renderer: new AnswerRenderer(), ...mathsSyntax };

/** Only the text after the last finished block is parsed again, so the cost of an answer is linear in its length. */
export class BlockReader {
  private text = '';
  private settled: Block[] = [];
  private settledLength = 0;
  /** The link definitions of the settled text, and those that all blocks were parsed with. */
  private settledLinks: Links = {};
  private knownLinks = '{}';
  private isUnreadable = false;

  read(source: string): readonly Block[] {
    const text = source.replaceAll(/\r\n?/g, '\n');
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    try {
      if (!this.isUnreadable) return this.readTail();
    } catch {
      // Some ten thousand levels of quotation overflow the parser's stack; unparsable text is shown as source.
      this.isUnreadable = true;
    }
    return [...this.settled, { kind: 'text', text: withoutAnsi(text.slice(this.settledLength)) }];
  }

  private readTail(): readonly Block[] {
    let lexer = lex(this.text.slice(this.settledLength), this.settledLinks);
    const links = JSON.stringify(lexer.tokens.links);
    if (links !== this.knownLinks && this.settledLength > 0) {
      // A new definition may apply to earlier text.
      this.reset();
      lexer = lex(this.text, {});
    }
    this.knownLinks = links;
    const tokens = [...lexer.tokens];
    // The last block may still grow, and the previous one may be joined to it (lists, paragraphs).
    const done = tokens.splice(0, Math.max(0, tokens.length - 2));
    for (const token of done) {
      if (token.type === 'def') {
        const { tag, href, title } = token as Tokens.Def;
        this.settledLinks[tag] ??= { href, title };
      }
      this.settled.push(...asBlocks(token, 0));
      this.settledLength += token.raw.length;
    }
    return [...this.settled, ...tokens.flatMap((token) => asBlocks(token, 0))];
  }

  private reset(): void {
    this.settled = [];
    this.settledLength = 0;
    this.settledLinks = {};
    this.isUnreadable = false;
  }
}

function lex(text: string, links: Links): Lexer {
  const lexer = new Lexer({ gfm: true, ...(mayHaveMaths(text) ? mathsSyntax : {}) });
  Object.assign(lexer.tokens.links, links);
  lexer.blockTokens(text, lexer.tokens);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > MAX_INLINE) tokens.push({ type: 'text', raw: src, text: src } satisfies Tokens.Text);
    else lexer.inlineTokens(src, tokens);
  }
  return lexer;
}

function asBlocks(token: Token, depth: number): Block[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text: withoutAnsi(token.raw) }];
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      const code = withoutAnsi(text);
      const info = codeInfo(lang ?? '', code);
      return [{ kind: 'code', code, ...info, ...(code === text ? {} : { ansi: text }) }];
    }
    case 'blockquote': {
      const { tokens } = token as Tokens.Blockquote;
      return [{ kind: 'quote', blocks: tokens.flatMap((each) => asBlocks(each, depth + 1)) }];
    }
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      return [
        {
          kind: 'list',
          start: ordered ? Number(start) : undefined,
          items: items.map(({ task, checked, tokens }) => ({
            isDone: task ? checked === true : undefined,
            blocks: tokens.flatMap((each) => asBlocks(each, depth + 1)),
          })),
        },
      ];
    }
    case 'table': {
      const { rows, header } = token as Tokens.Table;
      if (rows.length > MAX_ROWS || (rows.length + 1) * header.length > MAX_TABLE_CELLS)
        return [{ kind: 'text', text: withoutAnsi(token.raw) }];
      return [htmlBlock(withoutAnsi(Parser.parse([token], options)), token)];
    }
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return [htmlBlock(withoutAnsi(tokens ? Parser.parseInline(tokens, options) : escapeHtml(text)), token)];
    }
    default: {
      const html = withoutAnsi(Parser.parse([token], options));
      return html.trim() === '' ? [] : [htmlBlock(html, token)];
    }
  }
}

/** Content nested too deeply is shown as source. */
function htmlBlock(html: string, { raw }: Token): Block {
  return isTooDeep(html) ? { kind: 'text', text: withoutAnsi(raw) } : { kind: 'html', html };
}

/** Counts those in lists and quotations, too. @returns the same array if all of it fits */
export function takeBlocks(blocks: readonly Block[], limit: number): readonly Block[] {
  return isWithin(blocks, { left: limit }) ? blocks : take(blocks, { left: limit });
}

interface Room {
  left: number;
}

function isWithin(blocks: readonly Block[], room: Room): boolean {
  for (const block of blocks) {
    room.left -= 1;
    if (room.left < 0) return false;
    if (block.kind === 'quote' && !isWithin(block.blocks, room)) return false;
    if (block.kind === 'list' && !block.items.every(({ blocks: held }) => isWithin(held, room))) return false;
  }
  return true;
}

function take(blocks: readonly Block[], room: Room): Block[] {
  const taken: Block[] = [];
  for (const block of blocks) {
    if (room.left <= 0) break;
    room.left -= 1;
    if (block.kind === 'quote') taken.push({ ...block, blocks: take(block.blocks, room) });
    else if (block.kind === 'list') {
      const items = [];
      for (const item of block.items) {
        if (room.left <= 0) break;
        items.push({ ...item, blocks: take(item.blocks, room) });
      }
      taken.push({ ...block, items });
    } else taken.push(block);
  }
  return taken;
}
