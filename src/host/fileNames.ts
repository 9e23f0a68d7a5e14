/** As the most lenient file system compares: without case, encoding, invisible characters, trailing dots and blanks. */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[. ]+$/u, '')
    .toLowerCase();
}

/** Whether a name means `.git` on any file system, including the short names of Windows. */
export function isGitName(name: string): boolean {
  return /^(?:\.git|git~\d+)$/u.test(foldedName(name));
}

/** The parts of a path with `/` between them, each as {@link foldedName} returns it. */
export function foldedParts(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(foldedName);
}

/** Whether a path, as {@link foldedParts} returns it, matches an entry of a list. */
export type NamePattern = (parts: readonly string[]) => boolean;

/** A file's name, optionally with its folders, or a folder's name and `/` for all in it; `*` is any part of a name. */
export function namePattern(pattern: string): NamePattern {
  const isFolder = pattern.endsWith('/');
  const names = (isFolder ? pattern.slice(0, -1) : pattern).split('/').map(nameTest);
  return (parts) => {
    const last = parts.length - names.length;
    for (let start = isFolder ? 0 : Math.max(0, last); start <= last; start += 1) {
      if (names.every((test, index) => test(parts[start + index] ?? ''))) return true;
    }
    return false;
  };
}

function nameTest(pattern: string): (name: string) => boolean {
  if (pattern.includes('*')) {
    const source = pattern.split('*').map(escaped).join('.*');
    const expression = new RegExp(`^${source}$`, 'su');
    return (name) => expression.test(name);
  }
  const short = shortForm(pattern);
  return (name) => name === pattern || (short?.test(name) ?? false);
}

/** The short name that Windows may use for one that does not fit into eight letters, a dot and three letters. */
function shortForm(name: string): RegExp | undefined {
  const plain = name.replace(/^\.+/u, '');
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot < 0 ? [plain, ''] : [plain.slice(0, dot), plain.slice(dot + 1)];
  if (plain === name && stem.length <= 8 && ending.length <= 3 && !stem.includes('.')) return undefined;
  const start = escaped(stem.replaceAll(/[. ]/gu, '').slice(0, 6));
  return new RegExp(`^${start}~\\d+${ending === '' ? '' : `\\.${escaped(ending.slice(0, 3))}`}$`, 'u');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}
