import { z } from 'zod';
import { attachments, MAX_IMAGE_BYTES } from './attachments.ts';
import { approvalChoice } from './views.ts';

/** The longest question the page may send, in UTF-16 units; longer ones are refused with a reason. */
export const MAX_QUESTION_LENGTH = 1_000_000;

/** The most names of files the page asks about at once. */
export const MAX_NAMES = 200;

const text = z.string().trim().min(1).max(MAX_QUESTION_LENGTH);
const id = z.string().min(1).max(1_000);

/**
 * What the page shows: a chat on a branch, or the answers to a question. What is asked of another conversation than the
 * host's is refused, for it was meant for the one that the page still shows.
 */
export const shownPlace = z.strictObject({
  chatId: id,
  branch: id.optional(),
  questionId: id.optional(),
});
export type ShownPlace = z.infer<typeof shownPlace>;

/** What acts on the conversation that is shown says which that is. */
const acting = { place: shownPlace };

/** A question may have no words where something goes with it. */
const asked = {
  text: z.string().trim().max(MAX_QUESTION_LENGTH),
  attachments: attachments.optional(),
};
const saysSomething = ({
  text: words,
  attachments: given = [],
}: {
  text: string;
  attachments?: unknown[] | undefined;
}) => words !== '' || given.length > 0;

/** What the page asks of the host: verbs. */
export const fromPage = z.discriminatedUnion('type', [
  /** The page is there and has nothing yet; `again`: it has missed something. */
  z.strictObject({ type: z.literal('ready'), again: z.literal(true).optional() }),
  z.strictObject({ type: z.literal('sendMessage'), ...acting, ...asked }).refine(saysSomething),
  /** The colour theme the page is shown in, by VS Code's id: said at first, and when it changes. */
  z.strictObject({ type: z.literal('themeShown'), id: z.string().max(1_000) }),
  /** A side question: answered on a branch of its own while the main answer goes on. */
  z.strictObject({ type: z.literal('askAside'), ...acting, ...asked }).refine(saysSomething),
  /** Keeps a picture, in base64, for a question that is still to be asked. */
  z.strictObject({
    type: z.literal('addImage'),
    request: z.number().int(),
    name: z.string().min(1).max(200),
    data: z.base64().max(MAX_IMAGE_BYTES * 2),
  }),
  z.strictObject({ type: z.literal('loadImage'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** Asks for files of the workspace whose paths match. */
  z.strictObject({ type: z.literal('proposeFiles'), query: z.string().max(300) }),
  /** Asks the user what is to go with the next question. */
  z.strictObject({ type: z.literal('attach') }),
  z.strictObject({ type: z.literal('dismissAside'), ...acting, branch: id }),
  /** Stops the answer that streams on `branch`; what has arrived is kept. */
  z.strictObject({ type: z.literal('stopAnswer'), ...acting, branch: id }),
  /** The user's answer to what a tool asks; under an id that is not asked any more it does nothing. */
  z.strictObject({ type: z.literal('answerApproval'), ...acting, id, choice: approvalChoice }),
  /** Shows what a tool wants to change, in the editor. */
  z.strictObject({ type: z.literal('showChanges'), ...acting, id }),
  /** Shows all that went into a call and came out of it, in the editor. */
  z.strictObject({
    type: z.literal('openToolCall'),
    ...acting,
    messageId: id,
    callId: z.string().max(1_000),
  }),
  /** Goes on where an answer failed, was stopped, or reached its limit of steps. */
  z.strictObject({ type: z.literal('continueAnswer'), ...acting, branch: id }),
  /** Answers the last question of the branch again, on a new branch. */
  z.strictObject({ type: z.literal('regenerate'), ...acting, messageId: id }),
  /** Sets the key that a server asked for: that of the model which wrote the message. */
  z.strictObject({ type: z.literal('setApiKey'), messageId: id }),
  /** The same by a model and with a temperature that are asked for. */
  z.strictObject({ type: z.literal('regenerateWith'), ...acting, messageId: id }),
  /** Several answers at once, side by side. */
  z.strictObject({ type: z.literal('tryTimes'), ...acting, messageId: id }),
  /** Shows the answers there are, side by side. */
  z.strictObject({ type: z.literal('compareAnswers'), ...acting, messageId: id }),
  /** Goes to the branch of the answer that was chosen. */
  z.strictObject({ type: z.literal('keepTry'), ...acting, branch: id }),
  /** Stops all answers to the question that is shown. */
  z.strictObject({ type: z.literal('stopTries'), ...acting }),
  z.strictObject({ type: z.literal('rewindTo'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('createCheckpoint'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('switchBranch'), ...acting, branch: id }),
  /** What was dragged from the tree was dropped on the page. */
  z.strictObject({ type: z.literal('dropTreeItem') }),
  /** Goes to the branch through a message that was used last, with the message in view. */
  z.strictObject({ type: z.literal('openVersion'), ...acting, messageId: id }),
  /** Asks a question differently, on a new branch. */
  z.strictObject({ type: z.literal('editMessage'), ...acting, messageId: id, text }),
  z.strictObject({ type: z.literal('copyMessage'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
  z.strictObject({ type: z.literal('insertText'), text: z.string().max(10_000_000) }),
  /** Shows what the file that a code block is for, or the one in the editor, would be with it. */
  z.strictObject({
    type: z.literal('applyCode'),
    code: z.string().max(10_000_000),
    language: z.string().max(1_000),
    file: z.string().max(1_000).optional(),
  }),
  /** Puts a summary in place of what came before the last question, on a new branch. */
  z.strictObject({ type: z.literal('summariseContext'), ...acting }),
  z.strictObject({ type: z.literal('dismissContextWarning'), ...acting }),
  z.strictObject({ type: z.literal('pickModel') }),
  z.strictObject({ type: z.literal('pickEffort') }),
  z.strictObject({ type: z.literal('pickBranch'), ...acting }),
  z.strictObject({ type: z.literal('pickMessage'), ...acting }),
  z.strictObject({ type: z.literal('newChat') }),
  z.strictObject({ type: z.literal('openSampleChat') }),
  /** Opened by the host after a check of its scheme. */
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(10_000) }),
  /** Asks which of these, found in answers, are files of the workspace. */
  z.strictObject({ type: z.literal('findFiles'), names: z.array(z.string().max(1_000)).max(MAX_NAMES) }),
  /** Asks for a picture among the artifacts of the conversation. */
  z.strictObject({ type: z.literal('loadPicture'), ...acting, name: z.string().min(1).max(1_000) }),
  z.strictObject({
    type: z.literal('loadEarlier'),
    ...acting,
    request: z.number().int(),
    branch: id,
    beforeMessageId: id,
    /** Everything from this message on, instead of the next few. */
    fromMessageId: id.optional(),
  }),
]);
export type FromPage = z.infer<typeof fromPage>;

type WithoutPlace<T> = T extends { place: unknown } ? Omit<T, 'place'> : T;

/** The same before it is said of which conversation. */
export type PageRequest = WithoutPlace<FromPage>;

const placed = new Set<string>(
  fromPage.options.flatMap(({ shape }) => ('place' in shape ? [shape.type.value] : [])),
);

/** Whether something acts on the conversation that is shown. */
export function actsOnPlace(type: FromPage['type']): boolean {
  return placed.has(type);
}
