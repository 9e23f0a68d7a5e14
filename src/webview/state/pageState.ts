import isEqual from 'fast-deep-equal';
import type { FromHost } from '../answersConnection.ts';
import type { AlternativesView } from '../../protocol/alternatives.ts';
import type { SideQuestionView, ConversationView, MessageView } from '../../protocol/views.ts';
import { applyDelta, applyPart, type AnswerDelta, type AnswerPart } from './answerDelta.ts';

/** The conversation without what streams, so that a token changes nothing that stands still. */
export type SettledConversation = Omit<ConversationView, 'running' | 'sideQuestions'>;

/** Everything the page shows. It changes by what the host tells, and by nothing else. */
export interface PageState {
  readonly conversation: SettledConversation | undefined;
  readonly running: MessageView | undefined;
  readonly sideQuestions: readonly SideQuestionView[];
  /** Answers side by side, where the page shows those. */
  readonly alternatives: AlternativesView | undefined;
  /** The ids of the messages before those of the conversation, as far as they were fetched. */
  readonly earlier: readonly string[];
  /** Those of them that are near to what one sees; of the others only the place is kept. */
  readonly held: ReadonlyMap<string, MessageView>;
  readonly failures: readonly string[];
  /** Why nothing is shown: the host could not tell it, or the page not read it. */
  readonly refusal: string | undefined;
  /** It is because the shared store can't be reached. */
  readonly isAway: boolean;
  /** A piece of an answer is missing: everything has to be asked for again. */
  readonly isOutOfStep: boolean;
}

export const emptyPage: PageState = {
  conversation: undefined,
  running: undefined,
  sideQuestions: [],
  alternatives: undefined,
  earlier: [],
  held: new Map(),
  failures: [],
  refusal: undefined,
  isAway: false,
  isOutOfStep: false,
};

/** How many failures stand on the page at once; the oldest give way. */
const MAX_FAILURES = 3;

/** Of what the host tells, that which changes what is shown. */
export type StateChange =
  | AnswerDelta
  | AnswerPart
  | Extract<
      FromHost,
      { type: 'conversationChanged' | 'alternativesChanged' | 'conversationFailed' | 'actionFailed' }
    >;

/** What the page shows after the host has sent something. */
export function reduce(state: PageState, message: StateChange): PageState {
  switch (message.type) {
    case 'conversationChanged': {
      const { running, sideQuestions, messages, ...rest } = message.conversation;
      const conversation = { ...rest, messages: keptMessages(state, messages) };
      // Once it is among the messages, it is not on its way any more.
      const isSaved = conversation.messages.some(({ id }) => id === running?.id);
      return {
        ...state,
        conversation,
        running: isSaved ? undefined : running,
        sideQuestions,
        ...keptEarlier(state, conversation),
        refusal: undefined,
        isAway: false,
        isOutOfStep: false,
      };
    }
    case 'alternativesChanged':
      return { ...state, alternatives: message.alternatives, refusal: undefined, isOutOfStep: false };
    case 'conversationFailed':
      // What was shown before is another conversation: whatever is asked now would be meant for the one that is not seen.
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
      return { ...state, failures: [...state.failures, message.text].slice(-MAX_FAILURES) };
  }
}

export function dismissFailure(state: PageState, index: number): PageState {
  return { ...state, failures: state.failures.filter((_, each) => each !== index) };
}

/**
 * Takes the messages that stand right before one. Those that are known already have their content again; what comes
 * before the first known one is new. What fits nowhere, because that message is gone, changes nothing.
 */
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

/** Lets go of what earlier messages say, but for some; their places stay. */
export function holdOnly(state: PageState, isWanted: (id: string) => boolean): PageState {
  const held = new Map([...state.held].filter(([id]) => isWanted(id)));
  return held.size === state.held.size ? state : { ...state, held };
}

/** Lets go of what was fetched before; it is fetched anew when it is wanted. */
export function forgetEarlier(state: PageState): PageState {
  return state.earlier.length === 0 ? state : { ...state, earlier: [], held: new Map() };
}

/** How many messages of the branch the page knows nothing of. */
export function missingEarlier({ conversation, earlier }: PageState): number {
  if (!conversation || conversation.messages.length === 0) return 0;
  return Math.max(0, conversation.messageCount - conversation.messages.length - earlier.length);
}

/** On the same branch, what was fetched before stays, up to where the new window begins. */
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

/** A message that is as it was is the same object, so that nothing of it is drawn anew. */
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
