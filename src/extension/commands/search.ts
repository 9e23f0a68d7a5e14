import * as vscode from 'vscode';
import type { SearchResult } from '../../engine/store.ts';
import type { ChatView } from '../chat/chatView.ts';
import { USER_ID } from '../currentChat.ts';
import { logFailure, messageOf } from '../failures.ts';
import { oneLine } from '../oneLine.ts';
import type { Services } from '../services.ts';
import { timeAgo } from '../tree/timeAgo.ts';
import { switchToBranch } from './branches.ts';
import { registerCommands } from './register.ts';

/** How long typing has to rest, in milliseconds. */
const REST_MS = 80;

/** How much of what was found is shown, in characters. */
const SNIPPET_LENGTH = 140;

type ResultItem = vscode.QuickPickItem & { readonly result?: SearchResult };

/** Finds what was said, in every chat and on every branch, and leads there. */
export function registerSearchCommand(services: Services, chat: ChatView): vscode.Disposable {
  return registerCommands(services.log, {
    search: async () => {
      const found = await pickResult(services);
      if (found) await openMessage(services, chat, found.message.chatId, found.message.id);
    },
  });
}

/** Goes to a branch that leads to a message, and shows the message there. */
export async function openMessage(
  services: Services,
  chat: ChatView,
  chatId: string,
  messageId: string,
): Promise<void> {
  const { store, current } = services;
  const branch = await store.findBranchWith(chatId, messageId);
  if (!branch || branch.isActive) await current.open(chatId);
  else if (!(await switchToBranch(services, chatId, branch.name))) return;
  if (branch) await chat.reveal(messageId);
  else {
    await chat.focus();
    // Only a checkpoint leads there; going to it makes a branch, which is for the person to say.
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This message is on no branch any more. Restore the checkpoint that leads to it.'),
    );
  }
}

async function pickResult(services: Services): Promise<SearchResult | undefined> {
  const picker = vscode.window.createQuickPick<ResultItem>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = '';
  picker.title = vscode.l10n.t('Search in All Chats');
  picker.placeholder = vscode.l10n.t('Words, beginnings of words, or “a phrase”');
  // What matches is for the search to say; by its detail every result counts as a match for the list, too.
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const search = async (query: string): Promise<void> => {
    const items = await findItems(services, query);
    if (asked === query) {
      picker.items = items;
      picker.busy = false;
    }
  };
  try {
    return await new Promise<SearchResult | undefined>((resolve) => {
      picker.onDidChangeValue((value) => {
        asked = value.replaceAll(/[“”„]/g, '"');
        picker.busy = true;
        clearTimeout(timer);
        timer = setTimeout(() => {
          search(asked).catch((error: unknown) => {
            logFailure(services.log, 'Search', error);
            picker.items = [{ label: messageOf(error), alwaysShow: true }];
            picker.busy = false;
          });
        }, REST_MS);
      });
      picker.onDidAccept(() => {
        const result = picker.selectedItems[0]?.result;
        if (result) resolve(result);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    clearTimeout(timer);
    picker.dispose();
  }
}

async function findItems({ store }: Services, query: string): Promise<ResultItem[]> {
  if (query.trim() === '') return [];
  const results = await store.searchAllMessages(query, { userId: USER_ID, marks: ['', ''] });
  if (results.length === 0) return [{ label: vscode.l10n.t('Nothing was found.'), alwaysShow: true }];
  return Promise.all(
    results.map(async (result) => {
      const { chatId, id, name, createdAt } = result.message;
      const [chat, branch] = await Promise.all([store.getChat(chatId), store.findBranchWith(chatId, id)]);
      const title = chat?.title ?? vscode.l10n.t('New chat');
      return {
        label: `$(${name === 'user' ? 'account' : 'sparkle'}) ${oneLine(result.snippet, SNIPPET_LENGTH)}`,
        description: timeAgo(createdAt),
        detail: branch ? `${title} · ${branch.name}` : title,
        alwaysShow: true,
        result,
      };
    }),
  );
}
