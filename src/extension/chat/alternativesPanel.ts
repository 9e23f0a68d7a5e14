import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AlternativesNotice, AnswersNotice, ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { ActionOf } from '../../protocol/everyPage.ts';
import { hostPageContext } from '../pages/hostPageContext.ts';
import { WebviewHost, type Handlers } from '../pages/webviewHost.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { oneLine } from '../ui/shownName.ts';
import { AnswersHost, loadMessages } from '../pages/answersHost.ts';
import { checkPosition } from '../pages/checkPosition.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { actOnAttempt, openAttemptFile, type AttemptContext } from './actOnAttempt.ts';
import { goOn } from './commandsFromPage.ts';
import type { CapContext } from '../models/raiseCap.ts';
import { readAlternatives, type AlternativesSources } from './readAlternatives.ts';
import type { ProposedChanges } from '../tools/proposedChanges.ts';
import type { AlternativeView } from '../../protocol/chatFromHost.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { setPanelTitle } from '../ui/tabs.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { switchToBranch, type MoveContext } from '../branches/switchToBranch.ts';
import { notify } from '../ui/notifications.ts';
import { offerUndo } from '../ui/offerUndo.ts';

/** How long changes are batched before they are sent to the page, in milliseconds. */
const GATHER_MS = 10;

const TITLE_LENGTH = 30;

export interface AlternativesPosition {
  readonly chatId: string;
  readonly questionId: string;
}

/** False when the user cancelled. */
export type KeepFromPanel = (place: AlternativesPosition, branch: string) => Promise<boolean>;

/** Keeps no copy of the answers: the store is the source. */
export class AlternativesPanel implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly host: WebviewHost<ChatProtocol>;
  private readonly answers: AnswersHost;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());

  constructor(
    private readonly deps: AlternativesSources &
      AttemptContext &
      CapContext &
      ConstructorParameters<typeof AnswersHost>[0] & {
        readonly changes: ProposedChanges;
        readonly log: vscode.LogOutputChannel;
        readonly onDidRefresh: vscode.Event<void>;
      },
    readonly place: AlternativesPosition,
    readonly panel: vscode.WebviewPanel,
    private readonly keep: KeepFromPanel,
    extensionUri: vscode.Uri,
  ) {
    this.answers = new AnswersHost(
      deps,
      (message) => this.host.post(message),
      () => Promise.resolve(place.chatId),
    );
    this.host = new WebviewHost<ChatProtocol>(
      'The page of answers',
      loadMessages,
      {
        check: (message) => checkPosition(message, place),
        begin: () => this.refresh.now(),
        handlers: this.handlers(),
        answers: this.answers.answers,
      },
      hostPageContext(deps.log, extensionUri, 'main'),
    );
    this.host.attach(panel);
    const refresh = (): void => this.refresh.soon();
    this.subscriptions.addAll(
      this.refresh,
      this.answers,
      this.host,
      deps.store.onDidChange(({ chatId }) => {
        if (chatId === place.chatId) refresh();
      }),
      deps.onDidRefresh(refresh),
      deps.ownFiles.onDidChange(refresh),
      deps.approvals.onDidChange(refresh),
      deps.runs.onDidChange((event) => {
        const { ownFiles, questionId } = event.run;
        // A question on a branch with files of its own is shown after the answer.
        const isShown =
          event.run.chatId === place.chatId && (questionId === place.questionId || ownFiles !== undefined);
        if (isShown && !this.answers.pass(event)) refresh();
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Most of the protocol is for the chat alone. */
  private handlers(): Handlers<
    | AnswersNotice
    | AlternativesNotice
    | Extract<ActionOf<ChatProtocol>, { type: 'answerApproval' | 'answerQuestions' | 'showChanges' }>
  > {
    const { approvals, changes, conversations, runs } = this.deps;
    const { chatId, questionId } = this.place;
    return {
      ...this.answers.handlers,
      continueAnswer: ({ branch, onBudget }) =>
        goOn(this.deps, onBudget, (how) =>
          conversations.resumeAlternative({ chatId, branch, continues: true }, how),
        ),
      retryAnswer: ({ branch, onBudget }) =>
        goOn(this.deps, onBudget, (how) =>
          conversations.resumeAlternative({ chatId, branch, continues: false }, how),
        ),
      stopAnswer: ({ branch }) => runs.stop(chatId, branch),
      stopAlternatives: async () => {
        const alternatives = await readAlternatives(this.deps, chatId, questionId);
        const branches = (alternatives?.alternatives ?? []).map(({ branch }) => branch);
        await Promise.all(branches.map((branch) => runs.stop(chatId, branch)));
      },
      answerApproval: ({ id, choice }) => void approvals.answer(id, choice),
      answerQuestions: ({ id, answers }) => void approvals.answerQuestions(id, answers),
      showChanges: ({ id }) => changes.show(id),
      actOnAttempt: (message) => actOnAttempt(this.deps, chatId, message),
      openAttemptFile: (message) => openAttemptFile(this.deps, chatId, message),
      keepAlternative: async ({ branch }) => {
        if (await this.keep(this.place, branch)) this.panel.dispose();
      },
    };
  }

  private async show(): Promise<void> {
    if (!this.host.isReady) return;
    try {
      const { chatId, questionId } = this.place;
      const alternatives = await readAlternatives(this.deps, chatId, questionId);
      this.answers.flush();
      if (alternatives) setPanelTitle(this.panel, titleOf(alternatives.question));
      this.host.post({
        type: 'alternativesChanged',
        place: { chatId, questionId },
        ...(alternatives ? { alternatives } : {}),
      });
    } catch (error) {
      logFailure(this.deps.log, 'The answers could not be shown', error);
      this.host.post({ type: 'conversationFailed', reason: messageOf(error) });
    }
  }
}

export function titleOf(question: string): string {
  return vscode.l10n.t('Answers: {0}', oneLine(question, TITLE_LENGTH));
}

export function keepFromPanel(
  deps: AlternativesSources & Pick<AttemptContext, 'ownFiles'> & MoveContext,
  chat: ShownChat,
): KeepFromPanel {
  return async ({ chatId, questionId }, branch) => {
    const alternatives = (await readAlternatives(deps, chatId, questionId))?.alternatives ?? [];
    if (alternatives.find((each) => each.branch === branch)?.attempt?.isOpen === true) {
      await keepAttempt(deps, chatId, branch, alternatives);
      return false;
    }
    if (!(await switchToBranch(deps, chatId, branch))) return false;
    await chat.focus();
    // Those that continue after their answer are kept.
    const others = alternatives.filter((each) => each.branch !== branch && !each.goesOn);
    if (others.length > 0)
      void offerArchive(
        deps,
        chatId,
        branch,
        others.map((each) => each.branch),
      );
    return true;
  };
}

/** The tab stays: what is left over may be merged as well, and the other branches have their files still. */
async function keepAttempt(
  deps: Pick<AttemptContext, 'ownFiles'> & MoveContext,
  chatId: string,
  branch: string,
  alternatives: readonly AlternativeView[],
): Promise<void> {
  await runCommand('offshoot.keepBranchFiles', { kind: 'branch', chatId, name: branch });
  const { log, ownFiles, store } = deps;
  const kept = await store.getBranch(chatId, branch);
  const isWhole = kept && !(await (await ownFiles.known())?.openAt(kept));
  const others = alternatives.filter((each) => each.branch !== branch && each.attempt?.isOpen === true);
  if (!isWhole || others.length === 0) return;
  const names = others.map((each) => each.branch);
  void offerDiscard(deps, chatId, names).catch((error: unknown) => {
    logFailure(log, 'Files of branches', error);
    void notify.error(messageOf(error));
  });
}

async function offerDiscard(
  { ownFiles, runs, store }: Pick<AttemptContext, 'ownFiles'> & MoveContext,
  chatId: string,
  names: readonly string[],
): Promise<void> {
  const discard = vscode.l10n.t('Discard Their Files');
  const text =
    names.length === 1
      ? vscode.l10n.t('1 other branch still has its own files. What it changed is kept if you discard them.')
      : vscode.l10n.t(
          '{0} other branches still have their own files. What they changed is kept if you discard them.',
          names.length,
        );
  if ((await notify.information(text, discard)) !== discard) return;
  const host = await ownFiles.host();
  for (const name of names) {
    const branch = await store.getBranch(chatId, name);
    const record = branch && (await (await ownFiles.known())?.openAt(branch));
    // Something may have been asked there since.
    const isInUse = runs.list(chatId).some((run) => run.ownFiles === record?.id);
    if (record && !isInUse) await host.discard(record.id);
  }
  await ownFiles.refresh();
}

async function offerArchive(
  { conversations, labels, log }: MoveContext,
  chatId: string,
  kept: string,
  others: readonly string[],
): Promise<void> {
  const labelOf = await labels.of(chatId);
  const archive = vscode.l10n.t('Archive the Others');
  const text =
    others.length === 1
      ? vscode.l10n.t('Switched to {0}. The other answer stays in the tree.', labelOf(kept))
      : vscode.l10n.t(
          'Switched to {0}. The {1} other answers stay in the tree.',
          labelOf(kept),
          others.length,
        );
  if ((await notify.information(text, archive)) !== archive) return;
  const { archived, failure } = await conversations.archiveAlternatives(chatId, others);
  if (failure !== undefined) {
    logFailure(log, 'Archiving answers', failure);
    void notify.error(messageOf(failure));
  }
  if (archived.length === 0) return;
  const names = archived.map(({ name }) => labelOf(name)).join(', ');
  offerUndo(log, vscode.l10n.t('Archived {0}', names), () => conversations.unarchiveBranches(archived));
}
