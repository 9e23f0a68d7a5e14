import * as vscode from 'vscode';
import type { StoreChange } from '../../engine/graph.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Direction, GraphHistory } from '../../conversation/graphHistory.ts';
import { notifySkipped } from '../files/restoreNotifications.ts';
import type { EditsReview } from '../files/editsReview.ts';
import type { MoveContext } from './switchToBranch.ts';
import { logFailure } from '../ui/failures.ts';
import { showStatus } from '../ui/statusBar.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import type { ContextKey } from '../manifest/ids.ts';
import { setContext } from '../manifest/runCommand.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { GraphStep } from '../../engine/graphSteps.ts';

/** How long the status bar shows what was undone, in milliseconds. */
const SHOWN_MS = 6_000;

/** Undo and redo of moves in the tree, over any number of steps, even after a reload of the window. */
export function registerUndoRedo(
  deps: Pick<MoveContext, 'current' | 'history' | 'labels' | 'log' | 'store'> & {
    readonly onDidRefresh: vscode.Event<void>;
    readonly review: Pick<EditsReview, 'onDidDecide'>;
  },
): CommandPart<'undo' | 'redo'> {
  const { current, history, labels } = deps;
  const keys = new UndoKeys(history, deps);
  const take = async (direction: Direction): Promise<void> => {
    const step = await history.take(direction);
    // A user who reads the status may press the next key.
    await keys.update();
    if (!step) {
      showNothingLeft(direction);
      return;
    }
    showStep(direction, stepText(step, await labels.of(await current.chatId())));
    notifySkipped(step.skipped);
  };
  return {
    dispose: () => keys.dispose(),
    handlers: { undo: () => take('undo'), redo: () => take('redo') },
  };
}

function showStep(direction: Direction, what: string): void {
  const text = direction === 'undo' ? vscode.l10n.t('Undone: {0}', what) : vscode.l10n.t('Redone: {0}', what);
  showStatus(text, SHOWN_MS, direction === 'undo' ? 'discard' : 'redo');
}

function showNothingLeft(direction: Direction): void {
  const text =
    direction === 'undo'
      ? vscode.l10n.t('Nothing to undo in this chat.')
      : vscode.l10n.t('Nothing to redo in this chat.');
  showStatus(text, SHOWN_MS);
}

/** Shows the commands in VS Code only where they can work. */
class UndoKeys implements vscode.Disposable {
  private readonly known = new Map<ContextKey, boolean>();
  private readonly subscriptions: vscode.Disposable;
  private readonly updates = new Sequencer();
  private readonly store: ReadonlyStore;

  constructor(
    private readonly history: GraphHistory,
    { store, current, log, onDidRefresh, review }: Parameters<typeof registerUndoRedo>[0],
  ) {
    this.store = store;
    const schedule = (): void => {
      this.update().catch((error: unknown) => logFailure(log, 'Undo', error));
    };
    // Not during activation: this opens the database.
    const first = setTimeout(schedule, 0);
    this.subscriptions = vscode.Disposable.from(
      { dispose: () => clearTimeout(first) },
      store.onDidChange((change) => {
        if (change.kind === 'messages')
          this.look(change).catch((error: unknown) => logFailure(log, 'Undo', error));
        else if (change.kind !== 'draft') schedule();
      }),
      current.onDidChange(schedule),
      // The store does not announce entries of the log.
      history.onDidTake(schedule),
      review.onDidDecide(schedule),
      onDidRefresh(schedule),
    );
  }

  /** A message is not a step to undo. State a user changes along with it is a node of its own. */
  private async look({ chatId, messageIds }: Extract<StoreChange, { kind: 'messages' }>): Promise<void> {
    const [id, ...others] = messageIds;
    if (id === undefined || others.length > 0) return;
    if ((await this.store.getMessage(chatId, id))?.type === 'internal') await this.update();
  }

  update(): Promise<void> {
    return this.updates.run(async () => {
      await this.setKey('offshoot.canUndo', (await this.history.steps('undo')).length > 0);
      await this.setKey('offshoot.canRedo', (await this.history.steps('redo')).length > 0);
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async setKey(key: ContextKey, value: boolean): Promise<void> {
    if (this.known.get(key) === value) return;
    this.known.set(key, value);
    await setContext(key, value);
  }
}

/** In a few words that can follow “Undone:”. */
export function stepText(
  { kind, branch: name }: Pick<GraphStep, 'kind' | 'branch'>,
  labelOf: (branch: string) => string,
): string {
  const branch = labelOf(name);
  switch (kind) {
    case 'switched':
      return vscode.l10n.t('switch to {0}', branch);
    case 'rewound':
      return vscode.l10n.t('rewind');
    case 'branch-created':
      return vscode.l10n.t('edit, on {0}', branch);
    case 'restored':
      return vscode.l10n.t('restore of a checkpoint');
    case 'summarised':
      return vscode.l10n.t('summary, on {0}', branch);
    case 'brought-back':
      return vscode.l10n.t('bringing back, to {0}', branch);
    case 'cherry-picked':
      return vscode.l10n.t('cherry-pick, to {0}', branch);
    case 'branch-archived':
      return vscode.l10n.t('archive of branch {0}', branch);
    case 'branch-deleted':
      return vscode.l10n.t('deletion of branch {0}', name);
    case 'todos-edited':
      return vscode.l10n.t('change of the todo list');
    case 'message-kept':
      return vscode.l10n.t('mark of a message');
    case 'checkpoint-deleted':
      return vscode.l10n.t('deletion of checkpoint “{0}”', name);
    case 'files-restored':
      return vscode.l10n.t('change of files');
    case 'edits-reviewed':
      return vscode.l10n.t('keeping of edits');
  }
}
