import type { FromHost } from '../../protocol/fromHost.ts';
import type { TriesView } from '../../protocol/tries.ts';
import type { AsideView, ConversationView, MessageView } from '../../protocol/views.ts';
import { applyDelta, applyPart, type AnswerDelta, type AnswerPart } from './answerDelta.ts';

/** The conversation without what streams, so that a token changes nothing that stands still. */
export type SettledConversation = Omit<ConversationView, 'running' | 'asides'>;

/** Everything the page shows. It changes by what the host tells, and by nothing else. */
export interface PageState {
  readonly conversation: SettledConversation | undefined;
  readonly running: MessageView | undefined;
  readonly asides: readonly AsideView[];
  /** Answers side by side, where the page shows those. */
  readonly tries: TriesView | undefined;
  /** Messages before those of the conversation, fetched as the person scrolled up. */
  readonly earlier: readonly MessageView[];
  readonly failures: readonly string[];
  /** A piece of an answer is missing: everything has to be asked for again. */
  readonly isOutOfStep: boolean;
}

export const emptyPage: PageState = {
  conversation: undefined,
  running: undefined,
  asides: [],
  tries: undefined,
  earlier: [],
  failures: [],
  isOutOfStep: false,
};

/** How many failures stand on the page at once; the oldest give way. */
const MAX_FAILURES = 3;

/** What the page shows after the host has told something. */
export function reduce(state: PageState, message: FromHost): PageState {
  switch (message.type) {
    case 'conversationChanged': {
      const { running, asides, ...conversation } = message.conversation;
      // Once it is among the messages, it is not on its way any more.
      const isSaved = conversation.messages.some(({ id }) => id === running?.id);
      return {
        ...state,
        conversation,
        running: isSaved ? undefined : running,
        asides,
        earlier: keptEarlier(state, conversation),
        isOutOfStep: false,
      };
    }
    case 'triesChanged':
      return { ...state, tries: message.tries, isOutOfStep: false };
    case 'earlierMessages': {
      const first = [...state.earlier, ...(state.conversation?.messages ?? [])][0];
      // The answer to a question about another branch, or one that came twice, fits nowhere.
      const fits =
        state.conversation?.branch === message.branch &&
        first &&
        !message.messages.some(({ id }) => id === first.id);
      return fits ? { ...state, earlier: [...message.messages, ...state.earlier] } : state;
    }
    case 'answerDelta':
    case 'answerPart':
      return withPiece(state, message);
    case 'actionFailed':
      return { ...state, failures: [...state.failures, message.text].slice(-MAX_FAILURES) };
    case 'localised':
    case 'codeColoured':
    case 'filesFound':
    case 'pictureLoaded':
    case 'composerFilled':
    case 'attached':
    case 'imageAdded':
    case 'imageLoaded':
    case 'imageOffered':
    case 'filesProposed':
    case 'composerFocused':
    case 'messageRevealed':
    case 'messagePreviewed':
    case 'previewEnded':
    case 'questionStepped':
      return state;
  }
}

export function dismissFailure(state: PageState, index: number): PageState {
  return { ...state, failures: state.failures.filter((_, each) => each !== index) };
}

/** Lets go of what was fetched before; it is fetched anew when it is wanted. */
export function forgetEarlier(state: PageState): PageState {
  return state.earlier.length === 0 ? state : { ...state, earlier: [] };
}

/** How many messages of the branch the page does not have. */
export function missingEarlier({ conversation, earlier }: PageState): number {
  const first = earlier[0] ?? conversation?.messages[0];
  if (!conversation || !first) return 0;
  return Math.max(0, conversation.messageCount - conversation.messages.length - earlier.length);
}

/** On the same branch, what was fetched before stays, up to where the new window begins. */
function keptEarlier(state: PageState, next: SettledConversation): readonly MessageView[] {
  const { conversation } = state;
  const isSame = conversation?.chat.id === next.chat.id && conversation.branch === next.branch;
  if (!isSame) return [];
  const start = next.messages[0];
  const known = [...state.earlier, ...conversation.messages];
  const at = known.findIndex(({ id }) => id === start?.id);
  if (at === state.earlier.length) return state.earlier;
  return at > 0 ? known.slice(0, at) : [];
}

function withPiece(state: PageState, piece: AnswerDelta | AnswerPart): PageState {
  const { running, asides } = state;
  if (running?.id === piece.messageId) {
    const next = applyPiece(running, piece);
    return next ? { ...state, running: next } : outOfStep(state);
  }
  if (state.tries) return withPieceOfTry(state, state.tries, piece);
  const at = asides.findIndex(({ answer }) => answer?.id === piece.messageId);
  const aside = asides[at];
  if (!aside?.answer) return state;
  const answer = applyPiece(aside.answer, piece);
  return answer ? { ...state, asides: asides.with(at, { ...aside, answer }) } : outOfStep(state);
}

function withPieceOfTry(state: PageState, shown: TriesView, piece: AnswerDelta | AnswerPart): PageState {
  const at = shown.tries.findIndex(({ messages }) => messages.at(-1)?.id === piece.messageId);
  const grown = shown.tries[at];
  const last = grown?.messages.at(-1);
  if (!grown || !last) return state;
  const next = applyPiece(last, piece);
  if (!next) return outOfStep(state);
  const tries = shown.tries.with(at, { ...grown, messages: grown.messages.with(-1, next) });
  return { ...state, tries: { ...shown, tries } };
}

function applyPiece(message: MessageView, piece: AnswerDelta | AnswerPart): MessageView | undefined {
  return piece.type === 'answerDelta' ? applyDelta(message, piece) : applyPart(message, piece);
}

function outOfStep(state: PageState): PageState {
  return { ...state, isOutOfStep: true };
}
