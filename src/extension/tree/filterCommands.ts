import * as vscode from 'vscode';
import { z } from 'zod';
import { logFailure } from '../ui/failures.ts';
import type { ConversationTree } from './conversationTree.ts';
import type { TreeNode } from './treeNodes.ts';
import { TextInput } from '../ui/inputBox.ts';
import { type TreeView } from '../ui/treeView.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { setContext } from '../manifest/runCommand.ts';

export interface FilterCommandsDeps {
  readonly log: vscode.LogOutputChannel;
}

/** How long typing has to rest before the tree is filtered, in milliseconds. */
const REST_MS = 120;

const moreArgument = z.object({
  kind: z.literal('more'),
  chatId: z.string(),
  parentId: z.string().optional(),
  hidden: z.number(),
});

/** Filters the tree by words, as one types them, and says above it that it is filtered. */
export function registerTreeFilter(
  tree: ConversationTree,
  view: TreeView<TreeNode>,
  { log }: FilterCommandsDeps,
): CommandPart<'filterTree' | 'clearTreeFilter' | 'showMoreBranches'> {
  let shown = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const filter = async (text: string): Promise<void> => {
    shown = text.trim();
    await setContext('offshoot.isTreeFiltered', shown !== '');
    const found = await tree.filter(shown);
    // Other words were typed meanwhile.
    if (text.trim() === shown) view.message = shown === '' ? '' : messageFor(shown, found);
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
      clearTreeFilter: () => filter(''),
      showMoreBranches: (argument) => {
        const more = moreArgument.safeParse(argument).data;
        if (more) tree.showMore({ ...more, parentId: more.parentId });
        return Promise.resolve();
      },
    },
  };
}

function messageFor(words: string, found: number): string {
  if (found === 0) return vscode.l10n.t('Nothing has “{0}” in its name.', words);
  return found === 1
    ? vscode.l10n.t('Filtered by “{0}”: one found.', words)
    : vscode.l10n.t('Filtered by “{0}”: {1} found.', words, found);
}
