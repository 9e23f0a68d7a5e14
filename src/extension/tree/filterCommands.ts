import * as vscode from 'vscode';
import { z } from 'zod';
import { logFailure } from '../ui/failures.ts';
import type { ConversationTree } from './conversationTree.ts';
import type { TreeNode } from './treeNodes.ts';
import { BRANCH_KINDS, kindDetail, kindText, type BranchKind } from './branchKinds.ts';
import { pickMany } from '../ui/quickPick.ts';
import { TextInput } from '../ui/inputBox.ts';
import { type TreeView } from '../ui/treeView.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { setContext } from '../manifest/runCommand.ts';

export type FilterCommand = 'filterTree' | 'clearTreeFilter' | 'showOnlyInTree' | 'showMoreBranches';

/** The pause in typing, in milliseconds. */
const REST_MS = 120;

const moreArgument = z.object({
  kind: z.literal('more'),
  chatId: z.string(),
  parentId: z.string().optional(),
  hidden: z.number(),
});

export function registerTreeFilter(
  tree: ConversationTree,
  view: TreeView<TreeNode>,
  log: vscode.LogOutputChannel,
): CommandPart<FilterCommand> {
  let shown = '';
  let kinds: readonly BranchKind[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const filter = async (text: string, only = kinds): Promise<void> => {
    shown = text.trim();
    kinds = only;
    view.description = only.map((kind) => kindText(kind)).join(', ');
    await setContext('offshoot.isTreeFiltered', shown !== '' || only.length > 0);
    const found = await tree.filter(shown, only);
    // A newer filter supersedes this one.
    if (text.trim() === shown && only === kinds) view.message = messageFor(shown, only, found);
  };
  const askKinds = async (): Promise<void> => {
    const rows = BRANCH_KINDS.map((kind) => ({
      label: kindText(kind),
      description: kindDetail(kind),
      picked: kinds.includes(kind),
      kind: vscode.QuickPickItemKind.Default,
      wanted: kind,
    }));
    const picked = await pickMany(rows, {
      title: vscode.l10n.t('Show Only'),
      placeHolder: vscode.l10n.t('Select what the tree shows; nothing selected shows everything'),
    });
    if (picked)
      await filter(
        shown,
        picked.map(({ wanted }) => wanted),
      );
  };
  const filterSoon = (text: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      filter(text).catch((error: unknown) => logFailure(log, 'The tree could not be filtered', error));
    }, REST_MS);
  };
  const ask = async (): Promise<void> => {
    const before = shown;
    const input = new TextInput({
      title: vscode.l10n.t('Filter Tree'),
      placeholder: vscode.l10n.t('Words in the names of chats, branches and checkpoints'),
      prompt: vscode.l10n.t('Enter keeps the filter, Escape takes it back'),
      value: before,
    });
    try {
      const text = await new Promise<string>((resolve) => {
        input.onDidChangeValue(filterSoon);
        input.onDidAccept(() => resolve(input.value));
        input.onDidHide(() => resolve(before));
        input.show();
      });
      clearTimeout(timer);
      await filter(text);
    } finally {
      input.dispose();
    }
  };
  return {
    dispose: () => clearTimeout(timer),
    handlers: {
      filterTree: ask,
      clearTreeFilter: () => filter('', []),
      showOnlyInTree: askKinds,
      showMoreBranches: (argument) => {
        const more = moreArgument.safeParse(argument).data;
        if (more) tree.showMore({ ...more, parentId: more.parentId });
        return Promise.resolve();
      },
    },
  };
}

function messageFor(words: string, kinds: readonly BranchKind[], found: number): string {
  if (words === '')
    return kinds.length > 0 && found === 0 ? vscode.l10n.t('Nothing matches the filter.') : '';
  if (found === 0) return vscode.l10n.t('Nothing has “{0}” in its name.', words);
  return found === 1
    ? vscode.l10n.t('Filtered by “{0}”: one found.', words)
    : vscode.l10n.t('Filtered by “{0}”: {1} found.', words, found);
}
