import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposable.ts';
import type { FromHost } from '../../protocol/fromHost.ts';
import type { FromPage } from '../../protocol/fromPage.ts';
import { pageTexts } from '../pages/pageTexts.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { oneLine } from '../ui/oneLine.ts';
import { AnswersHost, isAnswersMessage, type AnswersHostDeps } from '../answers/answersHost.ts';
import { checkPlace } from '../pages/checkPosition.ts';
import { readFromPage } from '../pages/readMessage.ts';
import { Debouncer } from '../../kit/debouncer.ts';
import { readTries } from './readAlternatives.ts';
import { setPanelTitle } from '../ui/tabs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { Runs } from '../../agent/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface AlternativesPanelDeps extends AnswersHostDeps {
  readonly approvals: Approvals;
  readonly log: vscode.LogOutputChannel;
  readonly onDidRefresh: vscode.Event<void>;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
}

/** How long changes are gathered before the page is told, in milliseconds. */
const GATHER_MS = 10;

const TITLE_LENGTH = 30;

/** What the panel shows: all answers to one question. */
export interface TriesPlace {
  readonly chatId: string;
  readonly questionId: string;
}

/** Goes to the branch of the answer that was chosen. False when the user cancelled. */
export type KeepTry = (place: TriesPlace, branch: string) => Promise<boolean>;

/** The host's side of one page that shows answers side by side. It holds nothing of them: the store says what there is. */
export class TriesPanel implements Disposable {
  private readonly subscriptions: Disposable[];
  private readonly answers: AnswersHost;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());

  constructor(
    private readonly services: AlternativesPanelDeps,
    readonly place: TriesPlace,
    readonly panel: vscode.WebviewPanel,
    private readonly keep: KeepTry,
  ) {
    this.answers = new AnswersHost(services, (message) => this.post(message));
    const refresh = (): void => this.refresh.soon();
    this.subscriptions = [
      this.refresh,
      this.answers,
      panel.webview.onDidReceiveMessage((message: unknown) => void this.receive(message)),
      services.store.onDidChange(({ chatId }) => {
        if (chatId === place.chatId) refresh();
      }),
      services.onDidRefresh(refresh),
      services.runs.onDidChange((event) => {
        const isShown = event.run.chatId === place.chatId && event.run.questionId === place.questionId;
        if (isShown && !this.answers.pass(event)) refresh();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async receive(message: unknown): Promise<void> {
    const page = 'The page of answers';
    let read: FromPage | undefined;
    try {
      read = await readFromPage(message, page, this.services.log);
      if (read) await this.handle(read);
    } catch (error) {
      logFailure(this.services.log, read?.type ?? page, error);
      this.post({ type: 'actionFailed', text: messageOf(error) });
    }
  }

  /** What this page can ask for; the rest of the protocol is the chat's. */
  private async handle(message: FromPage): Promise<void> {
    const { runs } = this.services;
    const { chatId, questionId } = this.place;
    checkPlace(message, this.place);
    switch (message.type) {
      case 'ready':
        this.post({ type: 'localised', texts: pageTexts(), locale: vscode.env.language });
        await this.refresh.now();
        return;
      case 'stopAnswer':
        return runs.stop(chatId, message.branch);
      case 'stopTries': {
        const running = runs.list(chatId).filter((run) => run.questionId === questionId);
        await Promise.all(running.map(({ branch }) => runs.stop(chatId, branch)));
        return;
      }
      case 'keepTry':
        if (await this.keep(this.place, message.branch)) this.panel.dispose();
        return;
      default:
        if (isAnswersMessage(message)) return this.answers.handle(message, chatId);
        this.services.log.warn(`The page of answers asked for ${message.type}, which only the chat does`);
    }
  }

  private async show(): Promise<void> {
    try {
      const { chatId, questionId } = this.place;
      const tries = await readTries(this.services, chatId, questionId);
      this.answers.flush();
      if (tries) setPanelTitle(this.panel, titleOf(tries.question));
      this.post({ type: 'triesChanged', place: { chatId, questionId }, ...(tries ? { tries } : {}) });
    } catch (error) {
      logFailure(this.services.log, 'The answers could not be shown', error);
      this.post({ type: 'conversationFailed', reason: messageOf(error) });
    }
  }

  private post(message: FromHost): void {
    // A hidden page misses nothing: it asks for everything when it is back.
    void this.panel.webview.postMessage(message);
  }
}

export function titleOf(question: string): string {
  return vscode.l10n.t('Answers: {0}', oneLine(question, TITLE_LENGTH));
}
