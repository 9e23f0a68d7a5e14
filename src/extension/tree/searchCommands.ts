import * as vscode from 'vscode';
import { isUserTurn } from '../../engine/pathSummary.ts';
import { systemScheduler } from '../../base/scheduler.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { oneLine } from '../ui/shownName.ts';
import { timeAgo } from '../ui/formats.ts';
import type { MoveContext } from '../branches/switchToBranch.ts';
import { aboutTexts } from './aboutLines.ts';
import type { FindAboutLines, FoundMessage } from './chatSearch.ts';
import { previewResult } from './previewResult.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import { TypedSearch } from './typedSearch.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** In characters. */
const SNIPPET_LENGTH = 140;

type ResultItem = PickRow & { readonly result?: FoundMessage };

export function searchCommands(
  deps: MoveContext & { readonly userId: string; readonly findAboutLines: FindAboutLines },
  chat: ShownChat,
): CommandHandlers<'search'> {
  return {
    search: async () => {
      const found = await pickResult(deps);
      if (found) await previewResult(deps, chat, found.message.chatId, found.message.id);
    },
  };
}

async function pickResult(deps: Parameters<typeof searchCommands>[0]): Promise<FoundMessage | undefined> {
  const inView: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('list-tree'),
    tooltip: vscode.l10n.t('Show in the Search View'),
  };
  const picker = new PickList<ResultItem>({
    title: vscode.l10n.t('Search in All Chats'),
    placeholder: vscode.l10n.t(
      'A question or words; “a phrase”, -word, in:chat, by:me, file:name, x.ts:10-20, before:2026-01-31',
    ),
    // The search decides what matches; with its detail, every result also counts as a match for the list.
    matchOnDescription: true,
    matchOnDetail: true,
    buttons: [inView],
  });
  let shown = '';
  const search = new TypedSearch<ResultItem>({
    find: (query, isTyping) => findItems(deps, query, isTyping),
    show: (found, isWhole) => {
      const isNothing = found.length === 0 && isWhole && picker.value.trim() !== '';
      const rows = isNothing ? [{ label: vscode.l10n.t('No results.'), alwaysShow: true }] : found;
      const said = rows.map(({ label, result }) => `${label} ${result?.message.id ?? ''}`).join('\n');
      // The selection stays where the same is found again.
      if (said !== shown) picker.rows = rows;
      shown = said;
      picker.isBusy = !isWhole;
    },
    failed: (error) => {
      logFailure(deps.log, 'Search', error);
      shown = messageOf(error);
      picker.rows = [{ label: shown, alwaysShow: true }];
      picker.isBusy = false;
    },
    scheduler: systemScheduler,
  });
  try {
    return await new Promise<FoundMessage | undefined>((resolve) => {
      picker.onDidChangeValue((value) => {
        picker.isBusy = true;
        search.type(value.replaceAll(/[“”„]/g, '"'));
      });
      picker.onDidAccept(() => {
        const result = picker.selectedRows[0]?.result;
        if (result) resolve(result);
      });
      picker.onDidTriggerButton(() => {
        const words = picker.value;
        resolve(undefined);
        void runCommand('offshoot.searchInView', words.trim() === '' ? undefined : words);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    search.dispose();
    picker.dispose();
  }
}

async function findItems(
  { store, userId, labels, findAboutLines }: Parameters<typeof searchCommands>[0],
  query: string,
  isTyping: boolean,
): Promise<ResultItem[]> {
  if (query.trim() === '') return [];
  const results: readonly FoundMessage[] =
    (isTyping ? undefined : await findAboutLines(query)) ??
    (await store.searchAllMessages(query, { userId, marks: ['', ''], isTyping }));
  return Promise.all(
    results.map(async (result) => {
      const { chatId, id, createdAt } = result.message;
      const [chat, branch] = await Promise.all([store.getChat(chatId), store.findBranchWith(chatId, id)]);
      const title = chat?.title ?? vscode.l10n.t('New chat');
      return {
        icon: isUserTurn(result.message) ? 'account' : 'sparkle',
        label: oneLine(result.snippet, SNIPPET_LENGTH),
        description: timeAgo(createdAt),
        detail: [
          ...aboutTexts(result),
          title,
          ...(branch ? [await labels.label(chatId, branch.name)] : []),
          ...(branch?.archivedAt === undefined ? [] : [vscode.l10n.t('archived')]),
        ].join(' · '),
        alwaysShow: true,
        result,
      };
    }),
  );
}
