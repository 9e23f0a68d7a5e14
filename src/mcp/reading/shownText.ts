import { hiddenCharacters, withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';

/** A text as one line, cut at a length in UTF-16 units, with hidden characters spelled out. */
export function oneLine(text: string, limit: number): string {
  // Examine no more of it than could be shown.
  const line = withHiddenSpelledOut(text.slice(0, limit * 4).replaceAll(/\s+/gu, ' ')).trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** A quoted name that parses back to exactly that name, with any content. */
export function quoted(name: string): string {
  return JSON.stringify(name).replaceAll(hiddenCharacters, (char) =>
    Array.from({ length: char.length }, (_, index) => escapedUnit(char.charCodeAt(index))).join(''),
  );
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** A time to the minute, in ISO 8601. */
export function timeText(milliseconds: number): string {
  const time = new Date(milliseconds);
  // Times may come from imported files.
  return Number.isNaN(time.getTime()) ? 'unknown' : `${time.toISOString().slice(0, 16)}Z`;
}

/** "1 message", "2 messages". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
