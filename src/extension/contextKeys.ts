import * as vscode from 'vscode';
import { Sequencer } from '../base/sequencer.ts';
import { archivedChats } from './commands/listedChats.ts';
import type { CurrentChat } from './commands/currentChat.ts';
import { logFailure } from './ui/failures.ts';
import { serversWithKeys, type KeyedServers } from './models/keyedServers.ts';
import type { ContextKey } from './manifest/ids.ts';
import type { RelatedChats } from './storage/relatedChats.ts';
import { setContext } from './manifest/runCommand.ts';
import type { Runs } from '../agent/run/runs.ts';
import type { Settings } from './manifest/settings.ts';
import type { Host } from '../host/hostMachine.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';

/** Keys that are set by the feature they describe. */
type SetElsewhere =
  | 'offshoot.canRedo'
  | 'offshoot.canUndo'
  | 'offshoot.hasAsked'
  | 'offshoot.hasAskedAside'
  | 'offshoot.hasEditsToReview'
  | 'offshoot.hasSearched'
  | 'offshoot.hasStorageFailed'
  | 'offshoot.isConversationOpen'
  | 'offshoot.isShared'
  | 'offshoot.isTreeFiltered';

type KeySetHere = Exclude<ContextKey, SetElsewhere>;

/** Sets the keys of `when` and `enablement` clauses, so that no command shows where it cannot work. */
export function registerContextKeys(
  deps: KeyedServers & {
    readonly current: CurrentChat;
    readonly host: Host;
    readonly log: vscode.LogOutputChannel;
    readonly onDidRefresh: vscode.Event<void>;
    readonly related: Pick<RelatedChats, 'looked'>;
    readonly runs: Runs;
    readonly settings: Settings;
    readonly store: ReadonlyStore;
    readonly userId: string;
  },
): vscode.Disposable {
  const { store, runs, current, settings, keys, log, onDidRefresh } = deps;
  const known = new Map<ContextKey, boolean>();
  const updates = new Sequencer();
  const update = async (): Promise<void> => {
    for (const [key, value] of await readContextKeys(deps)) {
      if (known.get(key) === value) continue;
      known.set(key, value);
      await setContext(key, value);
    }
  };
  const schedule = (): void => {
    updates.run(update).catch((error: unknown) => logFailure(log, 'Context keys', error));
  };
  // Not during activation: this opens the database.
  const first = setTimeout(schedule, 0);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(first) },
    store.onDidChange(({ kind }) => {
      if (kind !== 'draft') schedule();
    }),
    current.onDidChange(schedule),
    settings.onDidChange(schedule),
    keys.onDidChange(schedule),
    onDidRefresh(schedule),
    runs.onDidChange((event) => {
      if (event.kind !== 'delta') schedule();
    }),
  );
}

/** The keys whose values follow from the store, the settings and the open chat. */
export async function readContextKeys(
  deps: Omit<Parameters<typeof registerContextKeys>[0], 'log' | 'onDidRefresh'>,
): Promise<[KeySetHere, boolean][]> {
  const { store, userId, runs, current } = deps;
  const chatId = await current.chatId();
  const chat = await store.getChat(chatId);
  const branch = chat && (await store.getActiveBranch(chatId));
  const branches = chat ? await store.listBranches(chatId, { includeArchived: true }) : [];
  const archived = branches.filter(({ archivedAt }) => archivedAt !== undefined).length;
  const hasChats = (await store.listChats({ userId, limit: 1, details: false })).length > 0;
  // Before it is said that there are none, it is known whether some are elsewhere.
  if (!hasChats) await deps.related.looked();
  const values: Readonly<Record<KeySetHere, boolean>> = {
    'offshoot.isInBrowser': deps.host.isBrowser,
    'offshoot.isReadOnly': store.isReadOnly,
    'offshoot.hasChats': hasChats,
    'offshoot.hasArchivedChats': (await archivedChats(deps)).length > 0,
    'offshoot.hasMessages': (branch?.messageCount ?? 0) > 0,
    'offshoot.hasBranches': branches.length - archived > 1,
    'offshoot.hasArchived': archived > 0,
    'offshoot.hasCheckpoints': chat !== undefined && (await store.listCheckpoints(chatId)).length > 0,
    'offshoot.isStreaming': runs.list(chatId).length > 0,
    'offshoot.hasKey': (await serversWithKeys(deps)).length > 0,
    // Last: the clause for "nothing yet" waits for the other keys.
    'offshoot.isLoaded': true,
  };
  // TypeScript types the keys of an object as any text: it might have more of them.
  return Object.entries(values) as [KeySetHere, boolean][];
}
