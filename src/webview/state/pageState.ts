import isEqual from 'fast-deep-equal';
import type {
  AlternativesView,
  ChatFromHost,
  ConversationView,
  SideQuestionView,
} from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';

/** The conversation without its streaming part, so that a token does not change the settled part. */
export type SettledConversation = Omit<ConversationView, 'running' | 'sideQuestions'>;

/** Everything the page shows. It changes only by messages of the host. */
export interface PageState {
  readonly conversation: SettledConversation | undefined;
  readonly running: MessageView | undefined;
  readonly sideQuestions: readonly SideQuestionView[];
  readonly alternatives: AlternativesView | undefined;
  /** The loaded ids of messages before those of the conversation. */
  readonly earlier: readonly string[];
  /** The ones near the viewport; only the position of the others is kept. */
  readonly held: ReadonlyMap<string, MessageView>;
  /** The last failure of each chat, by its id; that of a chat goes when it is left. */
  readonly failures: ReadonlyMap<string, string>;
  /** Why nothing is shown: the host could not send it, or the page could not read it. */
  readonly refusal: string | undefined;
  /** The reason is that the shared store cannot be reached. */
  readonly isAway: boolean;
  /** A delta of an answer is missing: everything must be requested again. */
  readonly isOutOfStep: boolean;
}

export const emptyPage: PageState = {
  conversation: undefined,
  running: undefined,
  sideQuestions: [],
  alternatives: undefined,
  earlier: [],
  held: new Map(),
  failures: new Map(),
  refusal: undefined,
  isAway: false,
  isOutOfStep: false,
};

export type StateChange =
  | AnswerDelta
  | AnswerPart
  | Extract<
      ChatFromHost,
      { type: 'conversationChanged' | 'alternativesChanged' | 'conversationFailed' | 'actionFailed' }
    >;

export function reduce(state: PageState, message: StateChange): PageState {
  switch (message.type) {
    case 'conversationChanged': {
      const { running, sideQuestions, messages, ...rest } = message.conversation;
      const conversation = { ...rest, messages: keptMessages(state, messages) };
      // Once it is among the messages, it is no longer being written.
      const isSaved = conversation.messages.some(({ id }) => id === running?.id);
      return {
        ...state,
        conversation,
        running: isSaved ? undefined : running,
        sideQuestions,
        ...keptEarlier(state, conversation),
        failures: failuresFor(state, conversation.chat.id),
        refusal: undefined,
        isAway: false,
        isOutOfStep: false,
      };
    }
    case 'alternativesChanged':
      return { ...state, alternatives: message.alternatives, refusal: undefined, isOutOfStep: false };
    case 'conversationFailed':
      // The previous content is another conversation: requests from it would go to the invisible one.
      return {
        ...emptyPage,
        failures: state.failures,
        refusal: message.reason,
        isAway: message.isAway === true,
      };
    case 'answerDelta':
    case 'answerPart':
      return withPiece(state, message);
    case 'actionFailed':
      return {
        ...state,
        failures: new Map(state.failures).set(message.chatId ?? shownChat(state), message.text),
      };
  }
}

/** An empty text where no chat is shown. */
function shownChat({ conversation, alternatives }: PageState): string {
  return conversation?.chat.id ?? alternatives?.chatId ?? '';
}

/** That of the shown chat; where none is shown, the last one. */
export function failureIn(state: PageState): string | undefined {
  return state.failures.get(failedChat(state));
}

export function dismissFailure(state: PageState): PageState {
  const failures = new Map(state.failures);
  failures.delete(failedChat(state));
  return { ...state, failures };
}

function failedChat(state: PageState): string {
  const shown = shownChat(state);
  return shown === '' ? ([...state.failures.keys()].at(-1) ?? '') : shown;
}

/** When a chat is shown, that of the one before it goes. */
function failuresFor(state: PageState, chatId: string): PageState['failures'] {
  const shown = shownChat(state);
  if (shown === chatId) return state.failures;
  const failures = new Map(state.failures);
  const early = shown === '' ? failures.get('') : undefined;
  failures.delete(shown);
  return early === undefined ? failures : failures.set(chatId, early);
}

/** Known messages get their content again. If the one that they precede is gone, nothing changes. */
export function withEarlier(
  state: PageState,
  beforeMessageId: string,
  messages: readonly MessageView[],
): PageState {
  const { earlier, conversation } = state;
  const isBeforeWindow = conversation?.messages[0]?.id === beforeMessageId;
  const at = isBeforeWindow ? earlier.length : earlier.indexOf(beforeMessageId);
  if (at === -1 || messages.length === 0) return state;
  const known = earlier.slice(Math.max(0, at - messages.length), at);
  const added = messages.length - known.length;
  if (known.some((id, index) => id !== messages[added + index]?.id)) return state;
  const held = new Map(state.held);
  for (const message of messages) held.set(message.id, message);
  const ids = messages.slice(0, added).map(({ id }) => id);
  return { ...state, held, earlier: added === 0 ? earlier : [...ids, ...earlier] };
}

/** Unloads the contents of earlier messages, with exceptions; their positions stay. */
export function holdOnly(state: PageState, isWanted: (id: string) => boolean): PageState {
  const held = new Map([...state.held].filter(([id]) => isWanted(id)));
  return held.size === state.held.size ? state : { ...state, held };
}

/** Unloads earlier messages; they are requested again when needed. */
export function forgetEarlier(state: PageState): PageState {
  return state.earlier.length === 0 ? state : { ...state, earlier: [], held: new Map() };
}

/** The number of messages of the branch that the page does not know. */
export function missingEarlier({ conversation, earlier }: PageState): number {
  if (!conversation || conversation.messages.length === 0) return 0;
  return Math.max(0, conversation.messageCount - conversation.messages.length - earlier.length);
}

/** On the same branch, loaded messages stay, up to the beginning of the new window. */
function keptEarlier(state: PageState, next: SettledConversation): Pick<PageState, 'earlier' | 'held'> {
  const { conversation, earlier } = state;
  const isSame = conversation?.chat.id === next.chat.id && conversation.branch === next.branch;
  const start = next.messages[0]?.id;
  if (!isSame || start === undefined) return { earlier: [], held: new Map() };
  if (conversation.messages[0]?.id === start) return { earlier, held: state.held };
  const known = [...earlier, ...conversation.messages.map(({ id }) => id)];
  const kept = known.slice(0, Math.max(0, known.indexOf(start)));
  const content = new Map(state.held);
  for (const message of conversation.messages) content.set(message.id, message);
  return {
    earlier: kept,
    held: new Map(
      kept.flatMap((id) => {
        const message = content.get(id);
        return message ? [[id, message] as const] : [];
      }),
    ),
  };
}

/** An unchanged message is the same object, so that it is not redrawn. */
function keptMessages({ conversation }: PageState, messages: readonly MessageView[]): MessageView[] {
  const before = new Map(conversation?.messages.map((message) => [message.id, message]));
  return messages.map((message) => {
    const known = before.get(message.id);
    return known && isEqual(known, message) ? known : message;
  });
}

function withPiece(state: PageState, piece: AnswerDelta | AnswerPart): PageState {
  const { running, sideQuestions } = state;
  if (piece.chatId !== (state.conversation?.chat.id ?? state.alternatives?.chatId)) return state;
  if (running?.id === piece.messageId) {
    const next = applyPiece(running, piece);
    return next ? { ...state, running: next } : outOfStep(state);
  }
  if (state.alternatives) return withPieceOfTry(state, state.alternatives, piece);
  const at = sideQuestions.findIndex(({ answer }) => answer?.id === piece.messageId);
  const sideQuestion = sideQuestions[at];
  if (!sideQuestion?.answer) return state;
  const answer = applyPiece(sideQuestion.answer, piece);
  return answer
    ? { ...state, sideQuestions: sideQuestions.with(at, { ...sideQuestion, answer }) }
    : outOfStep(state);
}

function withPieceOfTry(
  state: PageState,
  shown: AlternativesView,
  piece: AnswerDelta | AnswerPart,
): PageState {
  const at = shown.alternatives.findIndex(({ messages }) => messages.at(-1)?.id === piece.messageId);
  const grown = shown.alternatives[at];
  const last = grown?.messages.at(-1);
  if (!grown || !last) return state;
  const next = applyPiece(last, piece);
  if (!next) return outOfStep(state);
  const alternatives = shown.alternatives.with(at, { ...grown, messages: grown.messages.with(-1, next) });
  return { ...state, alternatives: { ...shown, alternatives } };
}

function applyPiece(message: MessageView, piece: AnswerDelta | AnswerPart): MessageView | undefined {
  return piece.type === 'answerDelta' ? applyDelta(message, piece) : applyPart(message, piece);
}

function outOfStep(state: PageState): PageState {
  return { ...state, isOutOfStep: true };
}

type AnswerDelta = Extract<ChatFromHost, { type: 'answerDelta' }>;
type AnswerPart = Extract<ChatFromHost, { type: 'answerPart' }>;

/** Inserts a part at its position; undefined when an earlier one is missing. */
function applyPart(message: MessageView, { partIndex, part }: AnswerPart): MessageView | undefined {
  if (partIndex > message.parts.length) return undefined;
  const isNew = partIndex === message.parts.length;
  return { ...message, parts: isNew ? [...message.parts, part] : message.parts.with(partIndex, part) };
}

/** An overlapping delta replaces the rest, so duplicates are harmless; undefined when an earlier one is missing. */
export function applyDelta(
  message: MessageView,
  { partIndex, part, offset }: AnswerDelta,
): MessageView | undefined {
  const before = message.parts[partIndex];
  if (!before) {
    const isNext = partIndex === message.parts.length && offset === 0;
    return isNext ? { ...message, parts: [...message.parts, part] } : undefined;
  }
  if (!('text' in before) || before.type !== part.type || offset > before.text.length) return undefined;
  // The conversation may be newer than a delta in transit.
  if (offset + part.text.length < before.text.length) return message;
  const text = before.text.slice(0, offset) + part.text;
  return { ...message, parts: message.parts.with(partIndex, { ...before, text }) };
}
