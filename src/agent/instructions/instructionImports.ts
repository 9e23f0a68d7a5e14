import { withoutFences } from '../prompts/promptBody.ts';

/** Why an import has no effect. */
export type ImportProblem =
  /** It is not below the workspace folder, or, of the user's own files, not in the user's folder. */
  | 'outside'
  /** It leads back to a file that imports it. */
  | 'circle'
  | 'too-deep'
  | 'too-many'
  /** Its name is that of a file with secrets. */
  | 'secret'
  | 'missing';

/** How many imports may follow one another (https://code.claude.com/docs/en/memory). */
export const MAX_HOPS = 5;

/** How many files are imported in all from one folder's files, and their total length in UTF-16 units. */
export const MAX_IMPORTS = 30;
export const MAX_IMPORTED = 100_000;

const SPAN = /(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/gu;
const IMPORT = /(?:^|[\s(])@((?:\\ |[^\s\\`@]){1,500})/gmu;
/** What ends a sentence rather than a name. */
const ENDING = /[.,;:!?)\]}'"»”’*_]+$/u;

/** What a text imports, as written, each once; nothing in code counts. */
export function importsOf(text: string): string[] {
  const plain = withoutFences(text).replaceAll(SPAN, ' ');
  const found = [...plain.matchAll(IMPORT)].map(([, written = '']) => written.replace(ENDING, ''));
  return [...new Set(found.filter((written) => written !== ''))];
}

/** An import as a path; `~` stands for the user's own folder. */
export function importedPath(written: string): { readonly path: string; readonly isBelowHome: boolean } {
  const path = written.replaceAll('\\ ', ' ');
  return path.startsWith('~/') ? { path: path.slice(2), isBelowHome: true } : { path, isBelowHome: false };
}

/** Whether a name that leads to no file was surely meant as one: `@name` also names people and packages. */
export function isSurelyFile(written: string): boolean {
  return /\.(?:md|mdx|mdc|txt|rst|adoc)$/iu.test(written);
}

/** A text without the lines that are nothing but one of these imports. */
export function withoutLines(text: string, imports: ReadonlySet<string>): string {
  return text
    .split('\n')
    .filter((line) => {
      const [, written] = /^\s*(?:[-*+]\s+)?@(\S(?:.*\S)?)\s*$/u.exec(line) ?? [];
      return written === undefined || !imports.has(written);
    })
    .join('\n')
    .trim();
}
