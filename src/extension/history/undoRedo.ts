import * as vscode from 'vscode';
import { switchToBranch } from '../commands/branches.ts';
import { registerCommands } from '../commands/register.ts';
import { logFailure } from '../failures.ts';
import type { Services } from '../services.ts';
import { GraphHistory, type Direction } from './graphHistory.ts';
import { stepText } from './stepText.ts';

/** How long the status bar says what was undone, in milliseconds. */
const SHOWN_MS = 6_000;

/** Undo and redo of moves in the tree, over any number of steps, also after a reload of the window. */
export function registerUndoRedo(services: Services): vscode.Disposable {
  const { store, current, log, onDidRefresh } = services;
  const history = new GraphHistory(services, (chatId, name) => switchToBranch(services, chatId, name));
  // One after the other: of two presses of a key the second one means the step before.
  let taking: Promise<void> = Promise.resolve();
  // That something was undone is an entry of the log, of which the store tells nobody.
  const taken = new vscode.EventEmitter<void>();
  const take = (direction: Direction): Promise<void> => {
    const next = taking.then(async () => {
      const step = await history.take(direction);
      taken.fire();
      if (step) tell(direction, stepText(step));
      else if ((await history.steps(direction)).length === 0) tellOfNothing(direction);
    });
    taking = next.catch(() => undefined);
    return next;
  };
  return vscode.Disposable.from(
    taken,
    registerCommands(log, { undo: () => take('undo'), redo: () => take('redo') }),
    tellContextKeys(history, { store, current, log, onDidRefresh }, taken.event),
  );
}

function tell(direction: Direction, what: string): void {
  const text =
    direction === 'undo' ? vscode.l10n.t('Undone: {0}', what) : vscode.l10n.t('Done again: {0}', what);
  void vscode.window.setStatusBarMessage(`$(${direction === 'undo' ? 'discard' : 'redo'}) ${text}`, SHOWN_MS);
}

function tellOfNothing(direction: Direction): void {
  const text =
    direction === 'undo'
      ? vscode.l10n.t('There is nothing to undo in this chat.')
      : vscode.l10n.t('There is nothing to do again in this chat.');
  void vscode.window.setStatusBarMessage(text, SHOWN_MS);
}

/** Lets VS Code show the commands only where they can work. */
function tellContextKeys(
  history: GraphHistory,
  { store, current, log, onDidRefresh }: Pick<Services, 'store' | 'current' | 'log' | 'onDidRefresh'>,
  onDidTake: vscode.Event<void>,
): vscode.Disposable {
  const told = new Map<string, boolean>();
  let updating = Promise.resolve();
  const tellOne = async (key: string, value: boolean): Promise<void> => {
    if (told.get(key) === value) return;
    told.set(key, value);
    await vscode.commands.executeCommand('setContext', key, value);
  };
  const update = async (): Promise<void> => {
    await tellOne('offshoot.canUndo', (await history.steps('undo')).length > 0);
    await tellOne('offshoot.canRedo', (await history.steps('redo')).length > 0);
  };
  const schedule = (): void => {
    updating = updating.then(update).catch((error: unknown) => logFailure(log, 'Undo', error));
  };
  // Not during activation: this opens the database.
  const first = setTimeout(schedule, 0);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(first) },
    store.onDidChange((change) => {
      if (change.kind !== 'messages') schedule();
    }),
    onDidTake(schedule),
    current.onDidChange(schedule),
    onDidRefresh(schedule),
  );
}
