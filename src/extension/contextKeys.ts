import * as vscode from 'vscode';
import { logFailure } from './failures.ts';
import type { Services } from './services.ts';

/** What `when` clauses ask, so that no command shows where it cannot work. */
export function registerContextKeys(services: Services): vscode.Disposable {
  const { store, runs, current, log, onDidRefresh } = services;
  let updating = Promise.resolve();
  const set = (key: string, value: boolean): Thenable<unknown> =>
    vscode.commands.executeCommand('setContext', `offshoot.${key}`, value);
  const update = async (): Promise<void> => {
    const chatId = await current.chatId();
    const exists = (await store.getChat(chatId)) !== undefined;
    const branch = exists ? await store.getActiveBranch(chatId) : undefined;
    await set('hasMessages', (branch?.messageCount ?? 0) > 0);
    await set('hasBranches', exists && (await store.listBranches(chatId)).length > 1);
    await set('hasCheckpoints', exists && (await store.listCheckpoints(chatId)).length > 0);
    await set('isStreaming', runs.list(chatId).length > 0);
    await set('canWrite', !store.isReadOnly);
  };
  const schedule = (): void => {
    updating = updating.then(update).catch((error: unknown) => logFailure(log, 'Context keys', error));
  };
  const first = setTimeout(schedule, 0);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(first) },
    store.onDidChange(schedule),
    current.onDidChange(schedule),
    onDidRefresh(schedule),
    runs.onDidChange((event) => {
      if (event.kind !== 'delta') schedule();
    }),
  );
}
