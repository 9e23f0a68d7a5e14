import * as vscode from 'vscode';
import { isSameBytes } from '../../base/sameBytes.ts';
import type { FileVersion } from '../../engine/effects.ts';
import { keyOf } from '../../files/contentVersion.ts';
import type { BranchFileChange } from '../../host/branchFiles.ts';
import type { FileContent, FileLocation } from '../../host/workspaceFiles.ts';
import { versionUri } from '../files/versionUris.ts';
import { notify } from '../ui/notifications.ts';
import { openChanges, openComparison } from '../ui/tabs.ts';

type Keep = (path: string, content: FileContent | undefined) => Promise<FileVersion | null>;

interface Side {
  readonly location: FileLocation;
  readonly base: FileContent | null;
  readonly now: FileContent | null;
}

export interface Difference {
  readonly location: FileLocation;
  readonly left: FileContent | null;
  readonly right: FileContent | null;
}

/** What a branch changed. */
export function differencesFromBase(changes: readonly BranchFileChange[]): readonly Difference[] {
  return [...sidesOf(changes).values()].map(({ location, base, now }) => ({
    location,
    left: base,
    right: now,
  }));
}

/** In what two branches that began with the same files differ. */
export function differencesBetween(
  left: readonly BranchFileChange[],
  right: readonly BranchFileChange[],
): readonly Difference[] {
  const [before, after] = [sidesOf(left), sidesOf(right)];
  const differences: Difference[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)];
    const location = a?.location ?? b?.location;
    if (!location) continue;
    // A file that one of them left is there as it was at first.
    const difference = {
      location,
      left: a ? a.now : (b?.base ?? null),
      right: b ? b.now : (a?.base ?? null),
    };
    if (!isSame(difference.left, difference.right)) differences.push(difference);
  }
  return differences;
}

/** Opens one file in VS Code's comparison, or several in one editor. */
export async function openDifferences(
  keep: Keep,
  title: string,
  differences: readonly Difference[],
): Promise<void> {
  const files: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const { location, left, right } of differences) {
    const file = vscode.Uri.joinPath(vscode.Uri.parse(location.folder, true), location.path);
    const versions = [
      await keep(location.path, left ?? undefined),
      await keep(location.path, right ?? undefined),
    ];
    const [before, after] = versions.map((version) => versionUri(location.path, version ?? null, file));
    if (before && after) files.push([file, before, after]);
  }
  const [only] = files;
  if (!only) {
    void notify.information(vscode.l10n.t('No differences'));
    return;
  }
  const path = differences[0]?.location.path ?? '';
  if (files.length === 1) await openComparison(only[1], only[2], `${path} (${title})`, { preview: true });
  else await openChanges(title, files);
}

/** Each file under its own name: a renamed one is a new one, and one that is gone. */
function sidesOf(changes: readonly BranchFileChange[]): ReadonlyMap<string, Side> {
  const sides = new Map<string, Side>();
  const add = (location: FileLocation, base: FileContent | null, now: FileContent | null): void => {
    sides.set(keyOf(location), { location, base, now });
  };
  for (const { folder, path, oldPath, before, after } of changes) {
    if (oldPath === undefined) add({ folder, path }, before, after);
    else {
      add({ folder, path: oldPath }, before, null);
      add({ folder, path }, null, after);
    }
  }
  return sides;
}

function isSame(a: FileContent | null, b: FileContent | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && isSameBytes(a.bytes, b.bytes);
}
