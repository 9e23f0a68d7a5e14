/** A text cannot be written in the encoding of its file. The message may be shown to the user. */
export class TextEncodingError extends Error {
  constructor(
    /** `not-encodable`: the encoding lacks a character; `not-text`: bytes mean no character. */
    readonly code: 'not-encodable' | 'not-text',
    readonly encoding: string,
    /** From 1. */
    readonly line: number,
    /** The one that is lacking. */
    readonly character = '',
  ) {
    super(
      code === 'not-text'
        ? `Line ${line} holds bytes that are no text in ${encoding}, which a change of the line would damage.`
        : `Line ${line} would hold “${character}” (${codePoint(character)}), which cannot be written in ${encoding}.`,
    );
    this.name = 'TextEncodingError';
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
