import * as vscode from 'vscode';
import { z } from 'zod';
import { isReady } from '../../files/inspectFiles.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { pickFiles } from './filePick.ts';
import { uriOf } from './openEditors.ts';
import { notifyWithUndo, type UndoContext } from './restoreNotifications.ts';
import { beforeUri } from './versionUris.ts';
import { notify } from '../ui/notifications.ts';
import { openChanges } from '../ui/tabs.ts';
import { editedFileOf, hunkAt, hunksIn, keepHunk, undoHunk } from './editedHunks.ts';
import type { EditedFile, EditsReview } from './editsReview.ts';
import type { SuggestedChanges } from './suggestedChanges.ts';

const fileArgument = z.object({ file: z.string() });
const hunkArgument = z.object({ uri: z.string(), line: z.number() });

export function reviewCommands(
  deps: UndoContext & {
    readonly files: ChangedFiles;
    readonly current: CurrentChat;
    readonly review: EditsReview;
  },
): CommandHandlers<'reviewEdits' | 'keepEdits' | 'undoEdits' | 'keepHunk' | 'undoHunk'> {
  const { review } = deps;
  return {
    reviewEdits: async (argument) => {
      const { files } = await chosenFiles(deps, argument);
      if (!hasAny(files)) return;
      await openChanges(
        files.length === 1
          ? vscode.l10n.t('Edits of one file')
          : vscode.l10n.t('Edits of {0} files', files.length),
        files.map(({ location, baseline, now }) => {
          const uri = uriOf(location);
          // A link is shown as what it is, not as what it leads to.
          const shown = now?.kind === 'link' ? beforeUri(uri, now) : uri;
          return [uri, baseline ? beforeUri(uri, baseline) : undefined, now ? shown : undefined];
        }),
      );
    },
    keepEdits: async (argument) => {
      const { chatId, files } = await chosenFiles(deps, argument);
      if (!hasAny(files)) return;
      await review.decide(
        chatId,
        files.map(({ location }) => ({ location, baseline: 'kept' })),
      );
    },
    undoEdits: async (argument) => {
      const { chatId, files } = await chosenFiles(deps, argument);
      if (!hasAny(files)) return;
      await undoFiles(deps, chatId, files);
    },
    keepHunk: async (argument) => {
      const at = await chosenHunk(deps, argument);
      if (at) await keepHunk(review, at.chatId, at.file, at.hunk);
    },
    undoHunk: async (argument) => {
      const at = await chosenHunk(deps, argument);
      if (at) await undoHunk(deps, at.chatId, at);
    },
  };
}

/** The files of a command: one that it names, or all. */
async function chosenFiles(
  { current, review }: Parameters<typeof reviewCommands>[0],
  argument: unknown,
): Promise<{ chatId: string; files: readonly EditedFile[] }> {
  const chatId = await current.chatId();
  const all = await review.read(chatId);
  const { data } = fileArgument.safeParse(argument);
  return { chatId, files: data ? all.filter(({ key }) => key === data.file) : all };
}

/** Files that were also changed otherwise are shown first; none of those is undone unasked. */
async function undoFiles(
  deps: Parameters<typeof reviewCommands>[0],
  chatId: string,
  edited: readonly EditedFile[],
): Promise<void> {
  const { files, review } = deps;
  const wanted = edited.map(({ location, baseline }) => ({ location, version: baseline, baseline }));
  const plan = await files.restorer.previewDecision(chatId, wanted);
  const ready = plan.files.filter(isReady);
  const chosen = ready.length === plan.files.length ? ready : await pickFiles(plan.files, ready);
  if (!chosen || chosen.length === 0) return;
  const restored = await files.restorer.restore(chatId, plan, chosen, { why: 'edits' });
  await review.update(chatId);
  const leftAlone = plan.files.length - chosen.length;
  notifyWithUndo(deps, { move: undefined, restored, leftAlone }, '');
}

/** The hunk that a command names, or the one at the cursor. */
async function chosenHunk(
  { current, review }: Parameters<typeof reviewCommands>[0],
  argument: unknown,
): Promise<
  | { chatId: string; file: EditedFile; document: vscode.TextDocument; hunk: ReturnType<typeof hunkAt> & {} }
  | undefined
> {
  const { data } = hunkArgument.safeParse(argument);
  const editor = vscode.window.activeTextEditor;
  const document = data
    ? await vscode.workspace.openTextDocument(vscode.Uri.parse(data.uri, true))
    : editor?.document;
  const line = data?.line ?? editor?.selection.active.line ?? 0;
  const chatId = await current.chatId();
  const file = document && editedFileOf(await review.read(chatId), document);
  const hunk = file && hunkAt(await hunksIn(review, file, document), line);
  if (hunk) return { chatId, file, document, hunk };
  void notify.information(vscode.l10n.t('There is no edit to review here.'));
  return undefined;
}

/** Shows a message if there are none. */
function hasAny(files: readonly EditedFile[]): boolean {
  if (files.length === 0) void notify.information(vscode.l10n.t('There are no edits to review.'));
  return files.length > 0;
}

export function applyCodeCommands({
  suggestions,
}: {
  readonly suggestions: SuggestedChanges;
}): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
