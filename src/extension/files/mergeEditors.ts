import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { openComparison } from '../ui/tabs.ts';
import { hasOpenConflict } from './changeHunks.ts';
import type { MergedChange } from './keepBranchFiles.ts';

/** What git writes at the beginning of a place that both changed; the labels are those of `mergeText`. */
const MARK = /^<{7} workspace\r?$/mu;

export interface MergeEditorsOptions {
  /** Where the texts are while they are merged: emptied first, and removed in the end. */
  readonly folder: vscode.Uri;
  /** The name of the branch. */
  readonly label: string;
  readonly token: vscode.CancellationToken;
  readonly onFile: (path: string) => void;
}

/**
 * Has the user merge texts that both changed in the same places, one after the other. They are merged in copies: the
 * workspace is written once all of it is decided.
 * @returns the changes with the texts as they are when their editors are closed; undefined when the user cancelled
 */
export async function mergeByHand(
  changes: readonly MergedChange[],
  { folder, label, token, onFile }: MergeEditorsOptions,
): Promise<MergedChange[] | undefined> {
  const { fs } = vscode.workspace;
  await removeFolder(folder);
  try {
    const merged: MergedChange[] = [];
    for (const [index, each] of changes.entries()) {
      const { change } = each;
      onFile(change.path);
      const name = change.path.slice(change.path.lastIndexOf('/') + 1);
      const place = vscode.Uri.joinPath(folder, String(index));
      const file = (kind: string): vscode.Uri => vscode.Uri.joinPath(place, kind, name);
      const target = each.files.find(({ path }) => path === change.path);
      const now = target?.now?.bytes ?? oldText(each);
      await fs.writeFile(file('base'), change.before?.bytes ?? new Uint8Array());
      await fs.writeFile(file('workspace'), now);
      await fs.writeFile(file('branch'), change.after?.bytes ?? new Uint8Array());
      await fs.writeFile(file('merged'), target?.result?.bytes ?? new Uint8Array());
      await open(
        { base: file('base'), workspace: file('workspace'), branch: file('branch'), merged: file('merged') },
        { label, path: change.path },
      );
      await untilClosed(file('merged'), token);
      if (token.isCancellationRequested) return undefined;
      const bytes = Uint8Array.from(await fs.readFile(file('merged')));
      merged.push({
        ...each,
        isMarked: isOpen(change, now, bytes),
        files: each.files.map((one) =>
          one.path === change.path && one.result ? { ...one, result: { ...one.result, bytes } } : one,
        ),
      });
    }
    return merged;
  } finally {
    await removeFolder(folder);
  }
}

function isOpen({ before, after }: MergedChange['change'], now: Uint8Array, merged: Uint8Array): boolean {
  const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
  const sides = [text(now), text(after?.bytes)] as const;
  return MARK.test(text(merged)) || hasOpenConflict(text(before?.bytes), sides, text(merged));
}

/** A file that the branch renamed is in the workspace under its old name. */
function oldText({ change, files }: MergedChange): Uint8Array {
  return files.find(({ path }) => path === change.oldPath)?.now?.bytes ?? new Uint8Array();
}

async function open(
  uris: Readonly<Record<'base' | 'workspace' | 'branch' | 'merged', vscode.Uri>>,
  { label, path }: { readonly label: string; readonly path: string },
): Promise<void> {
  const { base, workspace, branch, merged } = uris;
  const isShown = await openMergeEditor({
    base,
    input1: { uri: workspace, title: vscode.l10n.t('Workspace'), description: path },
    input2: { uri: branch, title: label, description: path },
    output: merged,
  });
  if (isShown) return;
  const title = vscode.l10n.t('{0} (workspace ↔ merged)', path);
  await openComparison(workspace, merged, title, { preview: false });
}

/** VS Code's own command: what its git extension opens conflicts with. */
const MERGE_EDITOR = '_open.mergeEditor';

interface MergeInput {
  readonly uri: vscode.Uri;
  readonly title: string;
  readonly description: string;
}

/** @returns whether there is one: not in every editor that is built from VS Code */
async function openMergeEditor(texts: {
  readonly base: vscode.Uri;
  readonly input1: MergeInput;
  readonly input2: MergeInput;
  readonly output: vscode.Uri;
}): Promise<boolean> {
  if (!(await vscode.commands.getCommands()).includes(MERGE_EDITOR)) return false;
  await vscode.commands.executeCommand('_open.mergeEditor', texts);
  return true;
}

/** Resolves once an editor that showed the file is closed. */
async function untilClosed(uri: vscode.Uri, token: vscode.CancellationToken): Promise<void> {
  const disposables = new DisposableStore();
  try {
    await new Promise<void>((resolve) => {
      let wasOpen = false;
      const look = (): void => {
        const isOpen = isShown(uri);
        if (wasOpen && !isOpen) resolve();
        wasOpen ||= isOpen;
      };
      disposables.add(vscode.window.tabGroups.onDidChangeTabs(look));
      disposables.add(token.onCancellationRequested(() => resolve()));
      look();
    });
  } finally {
    disposables.dispose();
  }
}

/** In a merge editor, whose kind of tab has no type in VS Code's API, or a comparison. */
function isShown(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    if (typeof input !== 'object' || input === null) return false;
    const shown = [
      'result' in input ? input.result : undefined,
      'modified' in input ? input.modified : undefined,
      'uri' in input ? input.uri : undefined,
    ];
    return shown.some((each) => each instanceof vscode.Uri && each.toString() === uri.toString());
  });
}

async function removeFolder(folder: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError) || error.code !== 'FileNotFound') throw error;
  }
}
