import * as vscode from 'vscode';
import type { Disposable } from '../../engine/event.ts';
import type { FromHost } from '../../protocol/fromHost.ts';
import type { FromPage } from '../../protocol/fromPage.ts';
import { pageTexts } from '../chat/pageTexts.ts';
import { logFailure, messageOf } from '../failures.ts';
import { oneLine } from '../oneLine.ts';
import { AnswersHost, isAnswersMessage } from '../pages/answersHost.ts';
import { checkPlace } from '../pages/checkPlace.ts';
import { readFromPage } from '../pages/readMessage.ts';
import { Refresh } from '../refresh.ts';
import type { Services } from '../services.ts';
import { readTries } from './readTries.ts';
import { setPanelTitle } from '../ui/tabs.ts';

/** How long changes are gathered before the page is told, in milliseconds. */
const GATHER_MS = 10;

const TITLE_LENGTH = 30;

/** What the panel shows: all answers to one question. */
export interface TriesPlace {
  readonly chatId: string;
  readonly questionId: string;
}

/** Goes to the branch of the answer that was chosen. False when the person thought better of it. */
export type KeepTry = (place: TriesPlace, branch: string) => Promise<boolean>;

/** The host's side of one page that shows answers side by side. It holds nothing of them: the store says what there is. */
export class TriesPanel implements Disposable {
  private readonly subscriptions: Disposable[];
  private readonly answers: AnswersHost;
  private readonly refresh = new Refresh(GATHER_MS, () => this.show());

  constructor(
    private readonly services: Services,
    readonly place: TriesPlace,
    readonly panel: vscode.WebviewPanel,
    private readonly keep: KeepTry,
  ) {
    this.answers = new AnswersHost(services, (message) => this.post(message));
    const refresh = (): void => this.refresh.soon();
    this.subscriptions = [
      panel.onDidChangeViewState(() => {
        if (!panel.visible) void services.rendering.ends(this.page);
      }),
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

  /** What the guard calls this page. */
  private get page(): string {
    return `tries ${this.place.questionId}`;
  }

  dispose(): void {
    void this.services.rendering.ends(this.page);
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
    const { rendering } = this.services;
    checkPlace(message, this.place);
    switch (message.type) {
      case 'ready':
        if (!message.again) await rendering.begins(this.page);
        this.post({ type: 'localised', texts: pageTexts(), locale: vscode.env.language });
        await this.refresh.now();
        return;
      case 'drawn':
        return rendering.drawn(this.page, chatId);
      case 'renderAgain':
        await rendering.renderAgain(chatId);
        this.refresh.soon();
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
      const isPlain = await this.services.rendering.draws(this.page, chatId);
      const tries = await readTries(this.services, chatId, questionId);
      this.answers.flush();
      if (tries) setPanelTitle(this.panel, titleOf(tries.question));
      // Nothing is drawn.
      else void this.services.rendering.ends(this.page);
      const shown = tries && { ...tries, ...(isPlain ? { rendering: 'plain' as const } : {}) };
      this.post({ type: 'triesChanged', place: { chatId, questionId }, ...(shown ? { tries: shown } : {}) });
    } catch (error) {
      logFailure(this.services.log, 'The answers could not be shown', error);
      void this.services.rendering.ends(this.page);
      this.post({ type: 'conversationFailed', reason: messageOf(error) });
    }
  }

  private post(message: FromHost): void {
    // A hidden page misses nothing: it asks for everything when it is back.
    const isShown = this.panel.visible && 'chatId' in message;
    if (isShown) void this.services.rendering.draws(this.page, message.chatId);
    void this.panel.webview.postMessage(message);
  }
}

export function titleOf(question: string): string {
  return vscode.l10n.t('Answers: {0}', oneLine(question, TITLE_LENGTH));
}
