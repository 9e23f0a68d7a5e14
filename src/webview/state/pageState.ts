import type { FromHost } from '../../protocol/fromHost.ts';
import type { ConversationView, MessageView } from '../../protocol/views.ts';
import { applyDelta, type AnswerDelta } from './answerDelta.ts';

/** Everything the page shows. It changes by what the host tells, and by nothing else. */
export interface PageState {
  readonly conversation: ConversationView | undefined;
  /** Messages before those of the conversation, fetched as the person scrolled up. */
  readonly earlier: readonly MessageView[];
  readonly failures: readonly string[];
  /** A piece of an answer is missing: everything has to be asked for again. */
  readonly isOutOfStep: boolean;
}

export const emptyPage: PageState = {
  conversation: undefined,
  earlier: [],
  failures: [],
  isOutOfStep: false,
};

/** What the page shows after the host has told something. */
export function reduce(state: PageState, message: FromHost): PageState {
  switch (message.type) {
    case 'conversationChanged':
      return {
        ...state,
        conversation: message.conversation,
        earlier: keptEarlier(state, message.conversation),
        isOutOfStep: false,
      };
    case 'earlierMessages': {
      const first = [...state.earlier, ...(state.conversation?.messages ?? [])][0];
      // The answer to a question about another branch, or one that came twice, fits nowhere.
      const fits =
        state.conversation?.branch === message.branch && first && message.messages.at(-1)?.id !== first.id;
      return fits ? { ...state, earlier: [...message.messages, ...state.earlier] } : state;
    }
    case 'answerDelta':
      return withDelta(state, message);
    case 'actionFailed':
      return { ...state, failures: [...state.failures, message.text].slice(-3) };
    case 'localised':
    case 'composerFilled':
    case 'composerFocused':
      return state;
  }
}

export function dismissFailure(state: PageState, index: number): PageState {
  return { ...state, failures: state.failures.filter((_, each) => each !== index) };
}

/** Every message there is to show, oldest first. */
export function shownMessages({ conversation, earlier }: PageState): MessageView[] {
  if (!conversation) return [];
  const { messages, running } = conversation;
  const isSaved = running && messages.some(({ id }) => id === running.id);
  return [...earlier, ...messages, ...(running && !isSaved ? [running] : [])];
}

/** How many messages of the branch the page does not have. */
export function missingEarlier({ conversation, earlier }: PageState): number {
  const first = earlier[0] ?? conversation?.messages[0];
  if (!conversation || !first) return 0;
  return Math.max(0, conversation.messageCount - conversation.messages.length - earlier.length);
}

/** On the same branch, what was fetched before stays, up to where the new window begins. */
function keptEarlier(state: PageState, next: ConversationView): readonly MessageView[] {
  const { conversation } = state;
  const isSame = conversation?.chat.id === next.chat.id && conversation.branch === next.branch;
  if (!isSame) return [];
  const start = next.messages[0];
  const known = [...state.earlier, ...conversation.messages];
  const at = known.findIndex(({ id }) => id === start?.id);
  return at > 0 ? known.slice(0, at) : [];
}

function withDelta(state: PageState, delta: AnswerDelta): PageState {
  const { conversation } = state;
  if (!conversation) return state;
  const { running, asides } = conversation;
  if (running?.id === delta.messageId) {
    const next = applyDelta(running, delta);
    return next ? { ...state, conversation: { ...conversation, running: next } } : outOfStep(state);
  }
  const at = asides.findIndex(({ answer }) => answer?.id === delta.messageId);
  const aside = asides[at];
  if (!aside?.answer) return state;
  const answer = applyDelta(aside.answer, delta);
  if (!answer) return outOfStep(state);
  return { ...state, conversation: { ...conversation, asides: asides.with(at, { ...aside, answer }) } };
}

function outOfStep(state: PageState): PageState {
  return { ...state, isOutOfStep: true };
}
