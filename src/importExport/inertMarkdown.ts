import { Lexer, type Token, type Tokens } from 'marked';

/**
 * Markdown that loads nothing in a viewer: pictures become links, HTML becomes text, code stays unchanged. A model's
 * text could otherwise leak data through a picture's URL as soon as an exported chat is viewed.
 */
export function inertMarkdown(source: string): string {
  const text = source.replaceAll(/\r\n?/g, '\n');
  try {
    const made = disarmed(text);
    // What looks like code in one place may not be code in another; then nothing is treated as code.
    const isInert = piecesOf(new Lexer({ gfm: true }).lex(made)).every(({ isCode }) => isCode);
    return isInert ? made : escaped(text);
  } catch (error) {
    // Nested deeper than the parser's stack allows.
    if (error instanceof RangeError) return escaped(text);
    throw error;
  }
}

function disarmed(text: string): string {
  const made: string[] = [];
  let at = 0;
  for (const { raw, isCode } of piecesOf(new Lexer({ gfm: true }).lex(text))) {
    const found = text.indexOf(raw, at);
    // A piece that is not found is escaped with the rest.
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

function piecesOf(tokens: readonly Token[]): Piece[] {
  return tokens.flatMap((token): Piece[] => {
    switch (token.type) {
      case 'code':
      case 'codespan':
        // Line by line: in a quotation or a list each line has a prefix that `raw` lacks.
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

/** Outside of code: removes pictures, tags and comments. A `<` before a URL belongs to a link. */
function escaped(text: string): string {
  return text
    .replaceAll(/(\\*)!(?=\[)/g, (whole, slashes: string) =>
      slashes.length % 2 === 0 ? `${slashes}\\!` : whole,
    )
    .replaceAll(/<(?=[a-z/!?])(?!(?:https?|mailto):)/gi, '&lt;');
}
