/** The longest stored string of a tool's input, its result, or a report, in UTF-16 units. */
export const MAX_STORED_STRING = 500_000;

/**
 * Copies a JSON value so that it can be stored: no string exceeds the limit or holds half of a surrogate pair;
 * numbers outside JSON, such as the result of parsing `1e400`, become null. A string that was cut includes its
 * original length and SHA-256, so that it can be recognized. The caller must check the depth first.
 */
export async function storableStrings(value: unknown, limit = MAX_STORED_STRING): Promise<unknown> {
  if (typeof value === 'string') return value.length > limit ? cut(value, limit) : value.toWellFormed();
  if (Array.isArray(value)) return Promise.all(value.map((item: unknown) => storableStrings(item, limit)));
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'object' || value === null) return value;
  const members = await Promise.all(
    Object.entries(value).map(
      async ([name, member]) => [name.toWellFormed(), await storableStrings(member, limit)] as const,
    ),
  );
  return Object.fromEntries(members);
}

async function cut(text: string, limit: number): Promise<string> {
  const note = `\n… [cut: ${text.length} characters in all, SHA-256 ${await sha256(text)}]`;
  return startOf(text, limit - note.length) + note;
}

/** The first `length` UTF-16 units of a text, or one fewer where the cut would go through a surrogate pair. */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? length - 1 : length).toWellFormed();
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first `limit` lines, and a note on how many were omitted and what to do about it. */
export function limitedLines(lines: readonly string[], limit: number, advice: string): string {
  const shown = lines.slice(0, limit).map((line) => limitedLine(line));
  const left = lines.length - limit;
  return left > 0 ? `${shown.join('\n')}\n… [${left} more left out. ${advice}]` : shown.join('\n');
}

export function limitedLine(line: string, limit = 500): string {
  return line.length > limit ? `${startOf(line, limit)}… [line cut]` : line;
}
