import { mayBeFile } from './fileMentions.ts';

export interface CodeInfo {
  readonly language: string;
  readonly file?: string;
}

/** A comment that contains only the name of a file: `// src/a.ts`, `# file: a.py`, `<!-- a.html -->`. */
const NAME_IN_COMMENT =
  /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:(?:file|filename|filepath|path)\s*:\s*)?(\S+\.\w{1,10})\s*(?:\*\/|-->)?\s*$/i;

/**
 * The language of code, and the file it is for: from the fence as `ts src/a.ts`, `ts:src/a.ts` or `ts
 * title="src/a.ts"`, or from a comment in its first line.
 */
export function codeInfo(fence: string, code: string): CodeInfo {
  const [word = '', ...others] = fence.trim().split(/\s+/);
  const [language = '', ...behind] = /^[a-z0-9+#.-]{1,30}:[^/]/i.test(word) ? word.split(':') : [word];
  const titled = /(?:title|file|filename|path)=["']?([^"'\s]+)/i.exec(fence)?.[1];
  const first = NAME_IN_COMMENT.exec(code.slice(0, 300).split('\n', 1)[0] ?? '')?.[1];
  const file = [titled, behind.join(':'), others[0], first].find(
    (name) => name !== undefined && name !== '' && mayBeFile(name),
  );
  if (file !== undefined) return { language, file };
  // Only the name, as in a fence of `src/a.ts`.
  const isName = /[\\/]/.test(word) && mayBeFile(word);
  return isName ? { language: /\.(\w+)$/.exec(word)?.[1] ?? '', file: word } : { language };
}
