import { uriBelow } from '../../host/fileUri.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';

/** The files that lines are explained of. What they hold is compared with what was recorded, and given to nobody. */
export interface ReadingFiles {
  /** The URIs of the folders that a path may be in. @param recorded those in which runs changed files, the latest first */
  folders(recorded: readonly string[]): readonly string[];
  /** What a file holds now; undefined: there is none, or it is no text in UTF-8. */
  text(location: FileLocation): Promise<string | undefined>;
}

/** Where a path may lead to: an absolute one, or one in a folder, as agents write it on any system. */
export function locationsOf(path: string, folders: readonly string[]): FileLocation[] {
  return folders.flatMap((folder) => {
    const root = rootOf(folder);
    if (root === undefined) return [];
    const isWindows = /^\/[a-z]:/iu.test(root);
    const slashed = isWindows ? path.replaceAll('\\', '/').replace(/^(?=[a-z]:\/)/iu, '/') : path;
    const below = slashed.startsWith('/') ? pathBelow(root, slashed, isWindows) : slashed;
    const parts = below?.split('/').filter((part) => part !== '' && part !== '.') ?? [];
    return parts.length === 0 || parts.includes('..') ? [] : [{ folder, path: parts.join('/') }];
  });
}

export function uriOfLocation({ folder, path }: FileLocation): string {
  return uriBelow(folder, path);
}

function pathBelow(root: string, path: string, ignoreCase: boolean): string | undefined {
  const [start, whole] = ignoreCase ? [root.toLowerCase(), path.toLowerCase()] : [root, path];
  return whole.startsWith(`${start}/`) ? path.slice(root.length + 1) : undefined;
}

/** The path of a folder on this machine. */
function rootOf(folder: string): string | undefined {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/]*(\/[^?#]*)/iu.exec(folder) ?? [];
  try {
    return path === undefined ? undefined : decodeURIComponent(path).replace(/\/$/u, '');
  } catch {
    // A percent sign without a valid escape.
    return undefined;
  }
}
