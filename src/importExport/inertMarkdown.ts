import { Lexer, type Token, type Tokens } from 'marked';

/**
 * Markdown that loads nothing when a viewer shows it: pictures become links, HTML becomes text, code stays as it is. What
 * a model wrote could otherwise send what it knows to an address, in that of a picture, as soon as an exported chat is
 * looked at.
 */
export function inertMarkdown(source: string): string {
  const text = source.replaceAll(/\r\n?/g, '\n');
  try {
    const made = disarmed(text);
    // What looks like code in one place may stand in another that is none; then nothing is taken for code.
    const isInert = piecesOf(new Lexer({ gfm: true }).lex(made)).every(({ isCode }) => isCode);
    return isInert ? made : escaped(text);
  } catch (error) {
    // Nested deeper than the reader's stack holds.
    if (error instanceof RangeError) return escaped(text);
    throw error;
  }
}

function disarmed(text: string): string {
  const made: string[] = [];
  let at = 0;
  for (const { raw, isCode } of piecesOf(new Lexer({ gfm: true }).lex(text))) {
    const found = text.indexOf(raw, at);
    // What is not found again is escaped with the rest.
    if (found < 0) continue;
    made.push(escaped(text.slice(at, found)), isCode ? raw : escaped(raw));
    at = found + raw.length;
  }
  made.push(escaped(text.slice(at)));
  return made.join('');
}

interface Piece {
  readonly raw: string;
  readonly isCode: boolean;
}

/** The code of a text, its pictures and its HTML, in order. */
function piecesOf(tokens: readonly Token[]): Piece[] {
  return tokens.flatMap((token): Piece[] => {
    switch (token.type) {
      case 'code':
      case 'codespan':
        // Line by line: in a quotation or a list each has marks before it that `raw` lacks.
        return token.raw
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => ({ raw: line, isCode: true }));
      case 'image':
      case 'html':
        return [{ raw: token.raw, isCode: false }];
      case 'list':
        return piecesOf((token as Tokens.List).items);
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flat().flatMap((cell) => piecesOf(cell.tokens));
      }
      default:
        return 'tokens' in token ? piecesOf(token.tokens) : [];
    }
  });
}

/** Outside of code: no picture, no tag, no comment. A `<` before an address belongs to a link. */
function escaped(text: string): string {
  return text
    .replaceAll(/(\\*)!(?=\[)/g, (whole, slashes: string) =>
      slashes.length % 2 === 0 ? `${slashes}\\!` : whole,
    )
    .replaceAll(/<(?=[a-z/!?])(?!(?:https?|mailto):)/gi, '&lt;');
}
