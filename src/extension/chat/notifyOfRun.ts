import * as vscode from 'vscode';
import type { Run, Runs } from '../../agent/run/runs.ts';
import { waitsForUser } from '../../agent/run/waitsForUser.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { sideQuestionBranches } from '../../engine/sideQuestionBranches.ts';
import type { Settings } from '../manifest/settings.ts';
import { notify } from '../ui/notifications.ts';
import { shownName } from '../ui/shownName.ts';
import { isNotified, type RunMoment } from './runNoticePolicy.ts';

export interface ChatSurfaces {
  isShown(chatId: string): Promise<boolean>;
  areAlternativesShown(chatId: string): boolean;
  /** Brings a chat to the front, where it is open. */
  show(chatId: string): Promise<void>;
}

/** A run that has ended, or waits for the user's approval. */
export interface SeenRun extends Pick<RunMoment, 'duration' | 'hasUsedTools'> {
  readonly run: Run;
  readonly asks: boolean;
}

/** How much of a title a notification shows, in characters. */
const TITLE_LENGTH = 60;

export async function notifyOfRun(
  {
    queue,
    runs,
    settings,
    store,
  }: {
    readonly queue: MessageQueue;
    readonly runs: Runs;
    readonly settings: Settings;
    readonly store: ReadonlyStore;
  },
  surfaces: ChatSurfaces,
  { run, asks, duration, hasUsedTools }: SeenRun,
): Promise<void> {
  const { chatId, branch: name } = run;
  const chat = await store.getChat(chatId);
  const branch = chat && (await store.getBranch(chatId, name));
  // What was deleted needs no notice.
  if (!chat || !branch) return;
  const kind = asks ? 'asks' : kindOf(run);
  const events = await store.listEvents(chatId, { kinds: ['btw', 'branch-renamed'] });
  const isSideQuestion = sideQuestionBranches(events).has(name);
  const isNextSent = kind === 'ended' && (await queue.list(chatId, branch.id)).length > 0;
  const goesOn = isNextSent || runs.list(chatId).some((other) => other !== run);
  const isInFront = isSideQuestion || branch.isActive;
  const isShown = (isInFront && (await surfaces.isShown(chatId))) || surfaces.areAlternativesShown(chatId);
  const attendance = { isFocused: vscode.window.state.focused, isShown };
  const moment = { kind, duration, hasUsedTools, isSideQuestion, goesOn };
  if (!isNotified(moment, attendance, settings.get('notifications.runs'))) return;
  const show = vscode.l10n.t('Show Chat');
  const title = shownName(chat.title ?? vscode.l10n.t('New chat'), TITLE_LENGTH);
  if ((await tell(kind, title, show)) === show) await surfaces.show(chatId);
}

function kindOf({ status, error, notice }: Run): RunMoment['kind'] {
  if (status === 'failed') return 'failed';
  // If there is an error, the user did not stop it.
  if (status === 'interrupted') return error ? 'failed' : 'stopped';
  return waitsForUser(notice) ? 'waits' : 'ended';
}

function tell(kind: RunMoment['kind'], title: string, button: string): Promise<string | undefined> {
  switch (kind) {
    case 'ended':
    case 'stopped':
      return notify.information(vscode.l10n.t('The answer in “{0}” is ready.', title), button);
    case 'failed':
      return notify.warning(vscode.l10n.t('The answer in “{0}” failed.', title), button);
    case 'waits':
      return notify.information(vscode.l10n.t('“{0}” is waiting for you to continue.', title), button);
    case 'asks':
      return notify.information(vscode.l10n.t('“{0}” is waiting for your approval.', title), button);
  }
}
