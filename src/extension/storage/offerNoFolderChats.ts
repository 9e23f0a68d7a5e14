import * as vscode from 'vscode';
import { LOCAL_USER } from '../../engine/users.ts';
import type { LockOwner } from '../../host/platform.ts';
import { delay } from '../../host/timers.ts';
import type { DurableContextStore } from '../../store/durableContextStore.ts';
import { notify } from '../ui/notifications.ts';
import { shownName } from '../ui/shownName.ts';
import { NO_FOLDER_PREFIX, usedChat } from './noFolderChats.ts';
import type { ProjectParts } from './projectActions.ts';
import { transfer } from './transferChats.ts';

/** A chat that was used longer ago, in milliseconds, has hardly to do with the folder that is opened now. */
const RECENT_MS = 60 * 60 * 1_000;

/** How often it is looked whether the window before has ended, and after how many milliseconds each. */
const LOOKS = 10;
const LOOK_MS = 1_000;

interface NoFolderParts extends ProjectParts {
  readonly globalState: vscode.Memento;
}

/** Asks about the chats of windows without a folder that have ended since. */
export async function offerNoFolderChats(deps: NoFolderParts): Promise<void> {
  const { globalState, globalStorage, host, openStore } = deps;
  const { owner } = host.platformFor(globalStorage.toString());
  const ended: string[] = [];
  const windows = new Map<number, Promise<boolean>>();
  for (const key of globalState.keys().filter((each) => each.startsWith(NO_FOLDER_PREFIX))) {
    const note = usedChat.safeParse(globalState.get(key)).data;
    const isRecent = note !== undefined && Date.now() - note.at < RECENT_MS;
    if (!isRecent) await globalState.update(key, undefined);
    else if (note.host === owner.host) {
      const window = windows.get(note.pid) ?? hasEnded(owner, note.pid);
      windows.set(note.pid, window);
      if (await window) ended.push(key);
    }
  }
  if (ended.length === 0) return;
  // Each is asked about once, whatever is answered.
  for (const key of ended) await globalState.update(key, undefined);
  const store = openStore(globalStorage.toString());
  try {
    const found = await Promise.all(ended.map((key) => store.getChat(key.slice(NO_FOLDER_PREFIX.length))));
    const chats = found.filter((chat) => chat !== undefined);
    const [first] = chats;
    if (!first) return;
    const text =
      chats.length === 1
        ? vscode.l10n.t(
            '“{0}” was begun with no folder open. Move it to this project?',
            shownName(first.title ?? vscode.l10n.t('New chat')),
          )
        : vscode.l10n.t('{0} chats were begun with no folder open. Move them to this project?', chats.length);
    const move = vscode.l10n.t('Move');
    if ((await notify.information(text, move, vscode.l10n.t('Leave There'))) !== move) return;
    await moveChats(deps, store, chats);
  } finally {
    await store.close();
  }
}

async function moveChats(
  { conversations, current, log }: NoFolderParts,
  from: DurableContextStore,
  chats: readonly { readonly id: string; readonly title: string | undefined }[],
): Promise<void> {
  const moved: string[] = [];
  const source = { store: from, remove: (id: string) => from.deleteChat(id, { userId: LOCAL_USER }) };
  await transfer(
    chats.map(({ id, title }) => ({ id, label: title ?? vscode.l10n.t('New chat') })),
    async (id) => {
      const copied = await conversations.moveHere(source, id);
      moved.push(copied.chatId);
      return copied;
    },
    { title: vscode.l10n.t('Moving chats to this project'), log },
  );
  const [first] = moved;
  if (first !== undefined) await current.open(first);
}

/** The window that opens the folder may begin before the one without it has ended. */
async function hasEnded(owner: LockOwner, pid: number): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const isAlive = owner.isAlive(pid);
    await owner.looked?.();
    if (!isAlive || !owner.isAlive(pid)) return true;
    await delay(LOOK_MS);
  }
  return false;
}
