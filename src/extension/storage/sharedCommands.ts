import * as vscode from 'vscode';
import type { Runs } from '../../agent/run/runs.ts';
import { copyChat, moveChat, shareChat, type MissingFile } from '../../conversation/copyChat.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { DurableContextStore } from '../../store/durableContextStore.ts';
import { listedChats } from '../commands/listedChats.ts';
import { resolveStoredChat, type ChatsOfUser } from '../commands/pickChat.ts';
import type { CommandHandlers, NamesOf } from '../commands/commandHandlers.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { confirm, notify } from '../ui/notifications.ts';
import { withProgress } from '../ui/progress.ts';
import { pickMany, pickOne, type PickRow } from '../ui/quickPick.ts';
import { timeAgo } from '../ui/formats.ts';
import type { SharedWorkplace } from './openShared.ts';
import type { ChatAccess } from '../../store/postgres/sharedStore.ts';
import { reportMissing } from './transferChats.ts';
import { connectCommands } from './connectCommands.ts';

type MoveCommand = 'copyToShared' | 'moveToShared' | 'copyToLocal' | 'moveToLocal';

export function sharedCommands(
  deps: ChatsOfUser &
    Parameters<typeof connectCommands>[0] & {
      readonly conversations: Conversations;
      /** Those that this window would show without a shared store. */
      readonly localChats: { readonly open: () => DurableContextStore; readonly userId: string };
      readonly log: vscode.LogOutputChannel;
      readonly runs: Runs;
    },
): CommandHandlers<MoveCommand | 'shareChat' | NamesOf<typeof connectCommands>> {
  return {
    copyToShared: () => toShared(deps, false),
    moveToShared: () => toShared(deps, true),
    copyToLocal: (...args) => toLocal(deps, args, false),
    moveToLocal: (...args) => toLocal(deps, args, true),
    shareChat: (...args) => share(deps, args),
    ...connectCommands(deps),
  };
}

async function toShared(
  { localChats, workplace, log }: Parameters<typeof sharedCommands>[0],
  isMove: boolean,
): Promise<void> {
  if (!workplace) {
    notConnected();
    return;
  }
  await withLocal(localChats.open, async (local) => {
    const { userId } = localChats;
    const chats = await listedChats({ store: local, userId });
    if (chats.length === 0) {
      void notify.information(vscode.l10n.t('There are no chats of this workspace on this machine.'));
      return;
    }
    const rows = chats.map(({ id, title, updatedAt }) => ({
      label: title ?? vscode.l10n.t('New chat'),
      description: timeAgo(updatedAt),
      id,
    }));
    const title = isMove
      ? vscode.l10n.t('Move Local Chats to the Shared Store')
      : vscode.l10n.t('Copy Local Chats to the Shared Store');
    const picked = await pickMany(rows, {
      title,
      placeHolder: vscode.l10n.t('They are private there until you share them'),
    });
    if (!picked || picked.length === 0) return;
    const target = { store: workplace.store, userId: workplace.userId };
    const remove = (chatId: string): Promise<boolean> => local.deleteChat(chatId, { userId });
    await withProgress({ location: vscode.ProgressLocation.Notification, title }, async (progress) => {
      const failures: string[] = [];
      const missing: MissingFile[] = [];
      for (const { id, label } of picked) {
        progress.report({ message: label, increment: 100 / picked.length });
        try {
          const from = { store: local, remove };
          const copied = await (isMove ? moveChat(from, id, target) : copyChat(local, id, target));
          missing.push(...copied.missing);
        } catch (error) {
          // Each separately: the previous ones were moved, and this one is where it was.
          logFailure(log, 'A chat could not be taken to the shared store', error);
          failures.push(`${label}: ${messageOf(error)}`);
        }
      }
      report(picked.length - failures.length, failures);
      reportMissing(missing);
    });
  });
}

async function toLocal(
  deps: Parameters<typeof sharedCommands>[0],
  args: readonly unknown[],
  isMove: boolean,
): Promise<void> {
  const { localChats, workplace, runs, conversations } = deps;
  if (!workplace) {
    notConnected();
    return;
  }
  const chat = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to copy to this machine'));
  if (!chat) return;
  if (isMove && runs.list(chat.id).length > 0) {
    void notify.warning(vscode.l10n.t('An answer is on its way in this chat. Stop it or wait for it first.'));
    return;
  }
  const title = chat.title ?? vscode.l10n.t('New chat');
  if (isMove && !(await agreesToMove(workplace, chat.id, title))) return;
  await withLocal(localChats.open, async (local) => {
    const target = { store: local, userId: localChats.userId };
    const shared = { store: workplace.store, remove: (id: string) => conversations.deleteChat(id) };
    const { missing } = await withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      isMove ? moveChat(shared, chat.id, target) : copyChat(workplace.store, chat.id, target),
    );
    void notify.information(
      vscode.l10n.t(
        'The chat is in the local chats now. They are shown once you disconnect from the shared store.',
      ),
    );
    reportMissing(missing);
  });
}

/** Other users lose access to chats that are moved away. */
async function agreesToMove({ store }: SharedWorkplace, chatId: string, title: string): Promise<boolean> {
  const { access } = await store.getSharing(chatId);
  if (access === 'private') return true;
  return confirm(
    vscode.l10n.t('Move “{0}” to the local chats?', title),
    [vscode.l10n.t('Others can no longer see it. In the shared store it goes to your trash.')],
    vscode.l10n.t('Move'),
  );
}

function report(count: number, failures: readonly string[]): void {
  if (failures.length > 0) {
    void notify.error(
      vscode.l10n.t(
        'Chats taken to the shared store: {0}. These stay where they were: {1}',
        count,
        failures.join(' · '),
      ),
    );
  } else {
    void notify.information(
      count === 1
        ? vscode.l10n.t('The chat is in the shared store now.')
        : vscode.l10n.t('{0} chats are in the shared store now.', count),
    );
  }
}

/** The store of this machine is open only during a move. */
async function withLocal(
  open: () => DurableContextStore,
  work: (local: DurableContextStore) => Promise<void>,
): Promise<void> {
  const local = open();
  try {
    await work(local);
  } finally {
    await local.close();
  }
}

async function share(
  deps: ChatsOfUser & { readonly workplace: SharedWorkplace | undefined },
  args: readonly unknown[],
): Promise<void> {
  const { workplace } = deps;
  if (!workplace) {
    notConnected();
    return;
  }
  const chat = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to share'));
  if (!chat) return;
  const { access } = await workplace.store.getSharing(chat.id);
  const picked = await pickOne(choices(access), {
    title: vscode.l10n.t('Share “{0}”', chat.title ?? vscode.l10n.t('New chat')),
    placeHolder: vscode.l10n.t('With everybody in the shared store'),
  });
  if (!picked || picked.access === access) return;
  await shareChat(workplace.store, chat.id, picked.access);
}

function notConnected(): void {
  void notify.information(
    vscode.l10n.t('This window is not connected to a shared store. Run “Offshoot: Shared Store…” first.'),
  );
}

function choices(now: ChatAccess): (PickRow & { readonly access: ChatAccess })[] {
  const rows = [
    {
      access: 'private' as const,
      icon: 'lock',
      label: vscode.l10n.t('Private'),
      detail: vscode.l10n.t('Only you see it.'),
    },
    {
      access: 'read' as const,
      icon: 'eye',
      label: vscode.l10n.t('Shared to Read'),
      detail: vscode.l10n.t('Others see it, also while it is answered, and can copy it.'),
    },
    {
      access: 'write' as const,
      icon: 'edit',
      label: vscode.l10n.t('Shared to Write'),
      detail: vscode.l10n.t(
        'Others can also ask, branch and rewind in it. Each stays on the branch they chose.',
      ),
    },
  ];
  return rows.map((row) => (row.access === now ? { ...row, description: vscode.l10n.t('now') } : row));
}
