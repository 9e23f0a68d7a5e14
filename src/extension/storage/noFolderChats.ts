import * as vscode from 'vscode';
import { z } from 'zod';
import type { Runs } from '../../agent/run/runs.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { LockOwner } from '../../host/platform.ts';
import { delay } from '../../host/timers.ts';
import type { DurableContextStore } from '../../store/durableContextStore.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { shownName } from '../ui/shownName.ts';
import type { OpenedProject } from './openProject.ts';

const PREFIX = 'offshoot.noFolder.';

/** What a window without a folder notes of each chat that is used in it. */
const usedChat = z.object({ at: z.number(), pid: z.number(), host: z.string() });

/** A chat that was used longer ago, in milliseconds, has hardly to do with the folder that is opened now. */
const RECENT_MS = 60 * 60 * 1_000;

/** How often it is looked whether the window before has ended, and after how many milliseconds each. */
const LOOKS = 10;
const LOOK_MS = 1_000;

/** A chat that was begun in a window without a folder may move into the folder that is opened in that window. */
export function registerNoFolderChats(deps: {
  readonly conversations: Conversations;
  readonly current: CurrentChat;
  readonly globalState: vscode.Memento;
  readonly globalStorage: vscode.Uri;
  readonly host: Host;
  readonly log: vscode.LogOutputChannel;
  readonly openStore: (store: string) => DurableContextStore;
  readonly project: OpenedProject;
  readonly runs: Runs;
  readonly workplace: object | undefined;
}): vscode.Disposable {
  const { globalState, globalStorage, host, log, project, runs, workplace } = deps;
  if (workplace) return vscode.Disposable.from();
  const failed = (error: unknown): void => logFailure(log, 'Chats without a folder', error);
  const { owner } = host.platformFor(globalStorage.toString());
  if (project.given) {
    offerChats(deps, owner).catch(failed);
    return vscode.Disposable.from();
  }
  const noted = new Set<string>();
  return vscode.Disposable.from(
    runs.onDidChange(({ run: { chatId } }) => {
      if (noted.has(chatId)) return;
      noted.add(chatId);
      const note: z.infer<typeof usedChat> = { at: Date.now(), pid: owner.pid, host: owner.host };
      globalState.update(PREFIX + chatId, note).then(undefined, failed);
    }),
  );
}

type Deps = Parameters<typeof registerNoFolderChats>[0];

async function offerChats(deps: Deps, owner: LockOwner): Promise<void> {
  const { globalState, globalStorage, openStore } = deps;
  const ended: string[] = [];
  for (const key of globalState.keys().filter((each) => each.startsWith(PREFIX))) {
    const note = usedChat.safeParse(globalState.get(key)).data;
    const isRecent = note !== undefined && Date.now() - note.at < RECENT_MS;
    if (!isRecent) await globalState.update(key, undefined);
    else if (note.host === owner.host && (await hasEnded(owner, note.pid))) ended.push(key);
  }
  if (ended.length === 0) return;
  // Each is asked about once, whatever is answered.
  for (const key of ended) await globalState.update(key, undefined);
  const store = openStore(globalStorage.toString());
  try {
    const found = await Promise.all(ended.map((key) => store.getChat(key.slice(PREFIX.length))));
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
  { conversations, current, log }: Deps,
  store: DurableContextStore,
  chats: readonly { readonly id: string; readonly title: string | undefined }[],
): Promise<void> {
  const { transfer } = await import('./transferChats.ts');
  const moved: string[] = [];
  const source = { store, remove: (id: string) => store.deleteChat(id, { userId: LOCAL_USER }) };
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
