import { Lexer, Parser, Renderer, type Token, type Tokens } from 'marked';

/** A top-level block of an answer; the same `raw` always looks the same. */
export type Block =
  | { readonly kind: 'code'; readonly raw: string; readonly language: string; readonly code: string }
  | { readonly kind: 'html'; readonly raw: string; readonly html: string };

/** Beyond this much unfinished text, it is shown as it is until its end is known: reading it anew each frame is slow. */
const MAX_TAIL = 60_000;

class AnswerRenderer extends Renderer {
  /** Nothing is loaded from anywhere: an image is its description and its address. */
  override image({ href, text }: Tokens.Image): string {
    const address = escaped(href);
    return `<a href="${address}">${escaped(text === '' ? href : text)}</a>`;
  }
}

const renderer = new AnswerRenderer();

/**
 * Splits a growing Markdown text into blocks. Only what comes after the last finished block is read anew, so that the
 * cost of an answer follows its length.
 */
export class BlockReader {
  private text = '';
  private settled: Block[] = [];
  private settledLength = 0;

  read(text: string): readonly Block[] {
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    const tail = text.slice(this.settledLength);
    if (tail.length > MAX_TAIL && this.isOneBlock(tail)) return [...this.settled, plainBlock(tail)];
    const tokens = new Lexer({ gfm: true }).lex(tail);
    const blocks = tokens.map(asBlock);
    // The last block may still grow, and the one before it may be joined to it (lists, paragraphs).
    const done = blocks.slice(0, -2);
    const doneTokens = tokens.slice(0, -2);
    this.settled.push(...done.filter(isVisible));
    this.settledLength += doneTokens.reduce((length, { raw }) => length + raw.length, 0);
    return [...this.settled, ...blocks.slice(-2).filter(isVisible)];
  }

  private reset(): void {
    this.settled = [];
    this.settledLength = 0;
  }

  /** Whether nothing in it ends a block: one long line, or an open code block. */
  private isOneBlock(tail: string): boolean {
    if (/^(?:```|~~~)/.test(tail)) return !/\n(?:```|~~~)\s*\n/.test(tail.slice(3));
    return !tail.includes('\n\n');
  }
}

function asBlock(token: Token): Block {
  if (token.type === 'code') {
    const { text, lang } = token as Tokens.Code;
    return { kind: 'code', raw: token.raw, language: lang?.split(/\s/, 1)[0] ?? '', code: text };
  }
  return { kind: 'html', raw: token.raw, html: Parser.parse([token], { renderer }) };
}

function plainBlock(raw: string): Block {
  return { kind: 'code', raw, language: '', code: raw };
}

function isVisible(block: Block): boolean {
  return block.kind === 'code' || block.html.trim() !== '';
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
