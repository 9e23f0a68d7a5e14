import { computed, effect, signal, untracked } from '@preact/signals';
import type { ShownPosition } from '../../protocol/chatFromPage.ts';
import type { ChatFromHost, EditorView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import { Attachments } from '../attachments/pendingAttachments.ts';
import { Highlighter, TokenColors } from '../code/highlighter.ts';
import { LookBackState } from './lookBackState.ts';
import { Maths } from '../markdown/maths.ts';
import { connectHost, type Host } from '../answersConnection.ts';
import { reasonOf } from '../host.ts';
import { Drafts, type ComposerPrefill } from './branchDrafts.ts';
import { FileNames } from './foundFiles.ts';
import { Opened, CompactedFold } from './opened.ts';
import { Pictures } from './pictures.ts';
import { FrameQueue, Drawing } from './drawing.ts';
import {
  dismissFailure,
  failureIn,
  emptyPage,
  forgetEarlier,
  holdOnly,
  missingEarlier,
  reduce,
  withEarlier,
  type PageState,
  type StateChange,
} from './pageState.ts';
import type { RenderingGuard } from './renderingGuard.ts';
import { setLocale, t } from './texts.ts';
import { Tray } from './traySegments.ts';

type Measured = Extract<ChatFromHost, { type: 'contextMeasured' }>;

export type Step =
  | Extract<ChatFromHost, { type: 'messagePreviewed' | 'previewEnded' | 'questionStepped' }>
  | { readonly type: 'messageEntered'; readonly messageId: string };

/** Each signal changes only with its own value, so that a streaming answer redraws only itself. */
export class Page {
  readonly host: Host;
  private readonly state = signal<PageState>(emptyPage);
  readonly conversation = computed(() => this.state.value.conversation);
  readonly earlier = computed(() => this.state.value.earlier);
  private readonly held = computed(() => this.state.value.held);
  readonly running = computed(() => this.state.value.running);
  readonly runningId = computed(() => this.running.value?.id);
  /** All messages with known position, in order; including the answer being written. */
  private readonly known = computed<readonly string[]>(() => {
    const messages = this.conversation.value?.messages ?? [];
    const runningId = this.runningId.value;
    const settled = [...this.earlier.value, ...messages.map(({ id }) => id)];
    return runningId === undefined ? settled : [...settled, runningId];
  });
  readonly fold = new CompactedFold(
    computed(() => this.conversation.value?.compaction),
    this.known,
  );
  /** Those of `known` that are not folded. */
  readonly ids = this.fold.shown;
  /** The held contents of settled messages. */
  readonly messages = computed<ReadonlyMap<string, MessageView>>(() => {
    const last = this.conversation.value?.messages ?? [];
    return new Map([...this.held.value, ...last.map((message) => [message.id, message] as const)]);
  });
  readonly sideQuestions = computed(() => this.state.value.sideQuestions);
  readonly alternatives = computed(() => this.state.value.alternatives);
  readonly isLoaded = signal(false);
  readonly failure = computed(() => failureIn(this.state.value));
  readonly refusal = computed(() => this.state.value.refusal);
  readonly isAway = computed(() => this.state.value.isAway);
  /** Answers are shown as plain text. */
  readonly isPlain = signal(false);
  readonly missing = computed(() => (this.fold.isClosed.value ? 0 : missingEarlier(this.state.value)));
  private readonly measured = signal<Measured | undefined>(undefined);
  /** The tokens of the next request on the shown branch, once they are counted. */
  readonly context = computed(() => {
    const { conversation: shown, measured } = this;
    const { chatId, branch, context } = measured.value ?? {};
    return shown.value?.chat.id === chatId && shown.value?.branch === branch ? context : undefined;
  });
  /** The message to scroll into view, until that is done. */
  readonly revealed = signal<string | undefined>(undefined);
  readonly steps = signal<readonly Step[]>([]);
  /** An item of the tree is being dragged, as far as is known. */
  readonly isTreeDragged = signal(false);
  /** The content of the last text editor, if it may be attached to a question. */
  readonly activeEditor = signal<EditorView | undefined>(undefined);
  readonly composerPrefill = signal<ComposerPrefill | undefined>(undefined);
  private readonly deltas = new FrameQueue<StateChange>((deltas) => this.apply(deltas));
  /** If a grammar cannot be loaded, code stays plain and the developer tools get a message. */
  readonly highlighter = new Highlighter((error) => reportError(error));
  private readonly tokenColors: TokenColors;
  readonly files: FileNames;
  readonly pictures: Pictures;
  readonly maths = new Maths((error) => reportError(error));
  readonly attachments: Attachments;
  readonly drafts: Drafts;
  /** The folded answers, by message id. */
  readonly folded = signal<ReadonlySet<string>>(new Set());
  readonly opened = new Opened();
  readonly tray = new Tray();
  readonly lookBack: LookBackState;
  /** Incremented when earlier messages are unloaded: replies to earlier requests are then useless. */
  private forgotten = 0;
  private awaited: string | undefined;
  private readonly drawing = new Drawing(
    () => this.maths.isIdle && this.highlighter.isIdle,
    () => this.guard.end(),
  );

  /** @param typed before the page was there */
  constructor(
    private readonly guard: RenderingGuard,
    typed = '',
  ) {
    this.host = connectHost({
      receive: (message) => this.receive(message),
      refused: (type) => this.refused(type),
      place: () => this.place(),
      fail: (text) => this.fail(text),
    });
    const failed = (error: unknown): void => this.fail(reasonOf(error));
    this.files = new FileNames(this.host, failed);
    this.pictures = new Pictures(this.host, failed);
    this.attachments = new Attachments(this.host, (text) => this.fail(text));
    const onDraftChanged = (): void => {
      if (this.conversation.peek()?.isProvisional) this.host.send({ type: 'draftChanged' });
    };
    this.drafts = new Drafts(this.host.memory, this.attachments.chips, onDraftChanged, typed);
    effect(() => {
      if (this.conversation.value) this.drafts.show(this.conversation.value);
    });
    this.tokenColors = new TokenColors(this.host, failed);
    this.lookBack = new LookBackState(this.host, (messageId) => this.preview(messageId), failed);
    const shownBranch = computed(() => this.conversation.value?.branchId);
    effect(() => {
      // What it shows is of the branch that is left.
      if (shownBranch.value !== undefined) untracked(() => this.lookBack.end());
    });
    this.host.begin();
  }

  /** @param messageId undefined: back to where the chat was before the first one */
  private preview(messageId: string | undefined): void {
    const step: Step =
      messageId === undefined ? { type: 'previewEnded' } : { type: 'messagePreviewed', messageId };
    this.steps.value = [...this.steps.value, step];
  }

  stepQuestion(direction: 'previous' | 'next'): void {
    this.steps.value = [...this.steps.value, { type: 'questionStepped', direction }];
  }

  enterMessage(messageId: string): void {
    this.steps.value = [...this.steps.value, { type: 'messageEntered', messageId }];
  }

  fail(text: string): void {
    this.apply([{ type: 'actionFailed', text }]);
  }

  toggleFolded(messageId: string): void {
    const folded = new Set(this.folded.value);
    if (!folded.delete(messageId)) folded.add(messageId);
    this.folded.value = folded;
  }

  dismissFailure(): void {
    this.state.value = dismissFailure(this.state.value);
  }

  /** Loads the messages before the first one, from the given message on; once for each. */
  loadEarlier(fromMessageId?: string): void {
    const first = this.ids.value[0];
    if (first !== undefined && this.missing.value > 0) this.load(first, fromMessageId);
  }

  /** Loads the messages before a message that is known but not held any more, from another one on. */
  load(beforeMessageId: string, fromMessageId?: string): void {
    const { conversation } = this.state.value;
    const wanted = `${beforeMessageId} ${fromMessageId}`;
    if (!conversation || this.awaited === wanted) return;
    this.awaited = wanted;
    const { forgotten } = this;
    const { id: chatId } = conversation.chat;
    this.host
      .sendRequest({
        type: 'loadEarlier',
        branch: conversation.branch,
        beforeMessageId,
        ...(fromMessageId === undefined ? {} : { fromMessageId }),
      })
      .then(
        ({ messages }) => {
          if (forgotten === this.forgotten) this.takeEarlier(chatId, beforeMessageId, messages);
        },
        (error: unknown) => {
          // Allows another request.
          if (this.awaited === wanted) this.awaited = undefined;
          this.fail(reasonOf(error));
        },
      );
  }

  holdOnly(isWanted: (id: string) => boolean): void {
    this.state.value = holdOnly(this.state.value, isWanted);
  }

  forgetEarlier(): void {
    this.awaited = undefined;
    this.forgotten += 1;
    this.state.value = forgetEarlier(this.state.value);
  }

  private place(): ShownPosition | undefined {
    const { conversation, alternatives } = this.state.value;
    if (conversation) return { chatId: conversation.chat.id, branch: conversation.branch };
    return alternatives && { chatId: alternatives.chatId, questionId: alternatives.questionId };
  }

  /** An unreadable view clears the page: the previous one is outdated, and must not be mistaken for it. */
  private refused(type: string): void {
    if (type !== 'conversationChanged' && type !== 'alternativesChanged') return;
    this.receive({
      type: 'conversationFailed',
      reason: t('Couldn’t show this chat: part of it is malformed.'),
    });
  }

  renderAgain(): void {
    const chatId = this.place()?.chatId;
    if (chatId === undefined) return;
    this.guard.renderAgain(chatId);
    this.draws(chatId);
  }

  private draws(chatId: string): void {
    const isPlain = this.guard.isPlain(chatId);
    // A page that draws only text does not prove that more can be drawn.
    if (!isPlain) {
      this.guard.begin(chatId);
      this.drawing.begin();
    }
    this.isPlain.value = isPlain;
  }

  private receive(message: ChatFromHost): void {
    switch (message.type) {
      case 'localised':
        setLocale(message.texts, message.locale);
        return;
      case 'codeColorsChanged':
        this.tokenColors.ask();
        return;
      case 'composerFilled':
        if (message.branchId !== undefined && message.branchId !== this.conversation.value?.branchId) {
          this.drafts.putBack(message.branchId, message.text, message.attachments);
          return;
        }
        if (message.isStored) this.attachments.fill(message.attachments ?? []);
        else if (message.attachments) this.attachments.add(message.attachments);
        this.composerPrefill.value = {
          text: message.text,
          sideQuestion: false,
          isStored: message.isStored ?? false,
          isReply: message.isReply ?? false,
        };
        return;
      case 'attached':
        this.attachments.add(message.attachments);
        this.composerPrefill.value = { sideQuestion: false, isReply: message.isReply ?? false };
        return;
      case 'editorChanged':
        this.activeEditor.value = message.editor;
        return;
      case 'imageOffered':
        this.attachments.takeOffered(message);
        return;
      case 'draftDiscarded':
        this.drafts.remove(message.branchId);
        return;
      case 'composerFocused':
        this.composerPrefill.value = { sideQuestion: message.sideQuestion };
        return;
      case 'contextMeasured':
        this.measured.value = message;
        return;
      case 'messageRevealed':
        this.fold.openFor(message.messageId);
        this.revealed.value = message.messageId;
        return;
      case 'treeDragStarted':
        this.isTreeDragged.value = true;
        return;
      case 'previewEnded':
        this.lookBack.end();
        this.steps.value = [...this.steps.value, message];
        return;
      case 'messagePreviewed':
      case 'questionStepped':
        this.steps.value = [...this.steps.value, message];
        return;
      case 'answerDelta':
      case 'answerPart':
        this.draws(message.chatId);
        this.deltas.add(message);
        return;
      case 'conversationChanged':
        // Used to restore a tab.
        if (this.place()?.chatId !== message.conversation.chat.id)
          this.host.memory.set({ chatId: message.conversation.chat.id });
        // Requested again if necessary: the previous request may have been for another branch.
        this.awaited = undefined;
        this.draws(message.conversation.chat.id);
        this.deltas.flush();
        // A finished run may have made the file that its answer names.
        if (this.running.value && !message.conversation.running) this.files.askAgain();
        this.apply([message]);
        return;
      case 'alternativesChanged':
        this.host.memory.set({ place: message.place });
        this.isLoaded.value = true;
        this.draws(message.place.chatId);
        this.deltas.flush();
        this.apply([message]);
        return;
      case 'actionFailed':
        this.apply([message]);
        return;
      case 'conversationFailed':
        this.isLoaded.value = true;
        this.awaited = undefined;
        this.forgotten += 1;
        this.apply([message]);
    }
  }

  private takeEarlier(chatId: string, before: string, messages: readonly MessageView[]): void {
    if (chatId !== this.conversation.value?.chat.id) return;
    this.draws(chatId);
    const state = withEarlier(this.state.value, before, messages);
    // If nothing fitted, the same request would be repeated endlessly.
    if (state === this.state.value) return;
    this.awaited = undefined;
    this.state.value = state;
  }

  private apply(messages: readonly StateChange[]): void {
    const { isOutOfStep } = this.state.value;
    this.state.value = messages.reduce(reduce, this.state.value);
    if (this.state.value.isOutOfStep && !isOutOfStep) this.host.send({ type: 'ready', again: true });
  }
}
