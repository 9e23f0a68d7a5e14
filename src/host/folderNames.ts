import { WorkspaceFileError, type OpenedFolder } from './workspaceFiles.ts';

/**
 * Names of open folders that tell them apart, each of which can begin a path. Folders of one name also have the folders
 * above them, as few as needed: `app (client)` and `app (server)`. Such a name stays as long as its folder is open.
 */
export class FolderNames {
  /** By the URIs of the folders. */
  private readonly given = new Map<string, string>();

  of<T extends OpenedFolder>(folders: readonly T[]): T[] {
    const plain = folders.map(({ name }) => asPart(name));
    for (const [uri, name] of this.given) {
      const index = folders.findIndex((folder) => folder.uri === uri);
      // The user may also have given it another name.
      if (!isNamedAlso({ uri, name }, plain[index] ?? '')) this.given.delete(uri);
    }
    const taken = new Set([...plain, ...this.given.values()]);
    for (const [index, { uri }] of folders.entries()) {
      const name = plain[index] ?? '';
      const others = folders.filter((_, at) => at !== index && plain[at] === name);
      if (others.length === 0 || this.given.has(uri)) continue;
      const own = nameApart(
        name,
        uri,
        others.map((other) => other.uri),
        taken,
      );
      taken.add(own);
      this.given.set(uri, own);
    }
    return folders.map((folder, index) => ({
      ...folder,
      name: this.given.get(folder.uri) ?? plain[index] ?? folder.name,
    }));
  }
}

/** Whether a folder would have this name if it were the only one of that name. */
export function isNamedAlso({ name }: OpenedFolder, wanted: string): boolean {
  return wanted !== '' && name.startsWith(`${wanted} (`) && name.endsWith(')');
}

/** The error for a path that does not begin with the name of an open folder. @param parts those of the path */
export function whichFolder(
  folders: readonly OpenedFolder[],
  parts: readonly string[],
  given: string,
): WorkspaceFileError {
  const [first = '', ...below] = parts;
  const meant = folders.filter((folder) => isNamedAlso(folder, first));
  return meant.length < 2
    ? new WorkspaceFileError('which-folder', given)
    : new WorkspaceFileError('ambiguous', given, {
        meant: meant.map(({ name }) => [name, ...below].join('/')),
      });
}

function nameApart(name: string, uri: string, others: readonly string[], taken: ReadonlySet<string>): string {
  const above = partsAbove(uri, name);
  const aboveOthers = others.map((other) => partsAbove(other, name));
  for (let count = 1; count <= above.length; count += 1) {
    const label = labelOf(above, count);
    const wanted = `${name} (${label})`;
    const isShared = aboveOthers.some((parts) => labelOf(parts, count) === label);
    if (!isShared && !taken.has(wanted)) return wanted;
  }
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}

/** What tells a folder from others of its name, outermost first: its machine, the folders above it, its own name. */
function partsAbove(uri: string, name: string): string[] {
  const [, scheme = '', machine = '', path = ''] =
    /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/iu.exec(uri) ?? [];
  const parts = [scheme, machine, ...path.split('/')]
    .filter((part) => part !== '')
    .map((part) => asPart(decodeURIComponent(part)));
  return parts.at(-1) === name ? parts.slice(0, -1) : parts;
}

function labelOf(parts: readonly string[], count: number): string {
  return parts.slice(-count).join('-');
}

/** The user can give an open folder any name; in a path these characters have another meaning. */
function asPart(name: string): string {
  const part = name.replaceAll(/[/\\:\p{Cc}]/gu, '-').trim();
  return /^\.*$/u.test(part) ? `folder${part}` : part;
}
