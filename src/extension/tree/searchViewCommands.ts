import * as vscode from 'vscode';
import { z } from 'zod';
import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandHandlers, CommandPart } from '../commands/commandHandlers.ts';
import type { MoveContext } from '../branches/switchToBranch.ts';
import type { BranchLabeler } from '../branches/branchLabels.ts';
import { logFailure } from '../ui/failures.ts';
import { messagesText } from '../ui/formats.ts';
import { Debouncer } from '../../base/debouncer.ts';
import {
  PAGE,
  searchChats,
  type FindAboutLines,
  type RoleFilter,
  type SearchAnswer,
  type SearchQuery,
} from './chatSearch.ts';
import { previewResult } from './previewResult.ts';
import { SearchTree, type SearchNode } from './searchTree.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne } from '../ui/quickPick.ts';
import { TreeView } from '../ui/treeView.ts';
import { runCommand, setContext } from '../manifest/runCommand.ts';

const SEARCH_VIEW = 'offshoot.searchResults';

/** How long changes are batched before the search runs again, in milliseconds. */
const GATHER_MS = 300;

const messageArgument = z.object({ chatId: z.string(), messageId: z.string() });

type SearchViewCommand =
  | 'searchInView'
  | 'refreshSearch'
  | 'clearSearch'
  | 'filterSearch'
  | 'moreSearchResults'
  | 'openSearchResult';

/** The results stay until they are cleared. */
export function registerSearchView(
  deps: MoveContext & {
    readonly onDidRefresh: vscode.Event<void>;
    readonly userId: string;
    readonly findAboutLines: FindAboutLines;
  },
  chat: ShownChat,
): CommandPart<SearchViewCommand> {
  const { store, userId, labels, log, onDidRefresh, findAboutLines } = deps;
  const tree = new SearchTree(log);
  const view = new TreeView<SearchNode>(SEARCH_VIEW, {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  let query: SearchQuery | undefined;

  const show = (answer: SearchAnswer, labelers: ReadonlyMap<string, BranchLabeler>): void => {
    tree.show(answer, labelers);
    view.description = [answer.query.words, ...rolesText(answer.query.roles)].join(' · ');
    view.message = answer.count === 0 ? '' : summary(answer);
  };
  const search = async (): Promise<void> => {
    const asked = query;
    if (!asked) return;
    const answer = await searchChats(store, userId, asked, findAboutLines);
    const labelers = await Promise.all(
      answer.chats.map(async ({ chat: { id } }) => [id, await labels.of(id)] as const),
    );
    // A newer request supersedes this one.
    if (query === asked) show(answer, new Map(labelers));
  };
  const searchFor = async (next: SearchQuery): Promise<void> => {
    query = next;
    await setContext('offshoot.hasSearched', true);
    await search();
  };
  const refresh = new Debouncer(GATHER_MS, () =>
    search().catch((error: unknown) => logFailure(log, 'The search could not be repeated', error)),
  );
  const searchSoon = (): void => {
    if (query) refresh.soon();
  };

  const handlers: CommandHandlers<SearchViewCommand> = {
    searchInView: async (given) => {
      const words = typeof given === 'string' ? given : await askForText(query?.words ?? '');
      if (words === undefined || words.trim() === '') return;
      await searchFor({ words: words.trim(), roles: query?.roles ?? 'all', limit: PAGE });
      await runCommand(`${SEARCH_VIEW}.focus`);
    },
    refreshSearch: () => search(),
    clearSearch: async () => {
      query = undefined;
      tree.show(undefined);
      view.message = '';
      view.description = '';
      await setContext('offshoot.hasSearched', false);
    },
    filterSearch: async () => {
      const roles = query && (await pickRoles(query.roles));
      if (query && roles) await searchFor({ ...query, roles, limit: PAGE });
    },
    moreSearchResults: async () => {
      if (query) await searchFor({ ...query, limit: query.limit + PAGE });
    },
    openSearchResult: async (argument) => {
      const { chatId, messageId } = messageArgument.parse(argument);
      await previewResult(deps, chat, chatId, messageId);
    },
  };
  const parts = vscode.Disposable.from(
    tree,
    view,
    store.onDidChange(({ kind }) => {
      if (kind !== 'draft') searchSoon();
    }),
    onDidRefresh(searchSoon),
    refresh,
  );
  return { handlers, dispose: () => void parts.dispose() };
}

function askForText(value: string): Promise<string | undefined> {
  return askText({
    title: vscode.l10n.t('Search in All Chats'),
    prompt: vscode.l10n.t('What is found stays in the Search view, by chat and branch.'),
    placeHolder: vscode.l10n.t(
      'A question or words; “a phrase”, -word, in:chat, by:me, file:name, x.ts:10-20, before:2026-01-31',
    ),
    value,
  });
}

async function pickRoles(current: RoleFilter): Promise<RoleFilter | undefined> {
  const items = (
    [
      ['all', vscode.l10n.t('Questions and Answers')],
      ['questions', vscode.l10n.t('Questions')],
      ['answers', vscode.l10n.t('Answers')],
    ] as const
  ).map(([roles, label]) => ({
    label,
    roles,
    description: roles === current ? vscode.l10n.t('shown now') : '',
  }));
  const title = vscode.l10n.t('Show Only');
  return (await pickOne(items, { title }))?.roles;
}

function rolesText(roles: RoleFilter): string[] {
  switch (roles) {
    case 'all':
      return [];
    case 'questions':
      return [vscode.l10n.t('questions only')];
    case 'answers':
      return [vscode.l10n.t('answers only')];
  }
}

function summary({ count, chats, hasMore }: SearchAnswer): string {
  const messages = hasMore ? vscode.l10n.t('The best {0} messages', count) : messagesText(count);
  return chats.length === 1
    ? vscode.l10n.t('{0} in 1 chat', messages)
    : vscode.l10n.t('{0} in {1} chats', messages, chats.length);
}
