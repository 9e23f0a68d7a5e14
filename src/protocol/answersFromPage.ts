import { z } from 'zod';
import { tokenStyles } from './tokens.ts';
import { fileView } from './views.ts';

/** The most names of files the page asks about at once. */
export const MAX_NAMES = 200;

export const id = z.string().min(1).max(1_000);

/**
 * What the page shows: a chat on a branch, or the answers to a question. What is asked of another conversation than the
 * host's is refused, for it was meant for the one that the page still shows.
 */
export const shownPosition = z.strictObject({
  chatId: id,
  branch: id.optional(),
  questionId: id.optional(),
});
export type ShownPosition = z.infer<typeof shownPosition>;

/** What acts on the conversation that is shown says which that is. */
export const acting = { place: shownPosition };

/** The page is there and has nothing yet; `again`: it has missed something. */
export const ready = z.strictObject({ type: z.literal('ready'), again: z.literal(true).optional() });

/** Stops the answer that streams on `branch`; what has arrived is kept. */
export const stopAnswer = z.strictObject({ type: z.literal('stopAnswer'), ...acting, branch: id });

/** What every page that shows answers may say, whatever else it shows. */
export const answersNotices = [
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
  z.strictObject({ type: z.literal('insertText'), text: z.string().max(10_000_000) }),
  /** Shows what the file that a code block is for, or the one in the editor, would be with it. */
  z.strictObject({
    type: z.literal('applyCode'),
    code: z.string().max(10_000_000),
    language: z.string().max(1_000),
    file: z.string().max(1_000).optional(),
  }),
  /** Opened by the host after a check of its scheme. */
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(10_000) }),
  /** Shows all that went into a call and came out of it, in the editor. */
  z.strictObject({
    type: z.literal('openToolCall'),
    ...acting,
    messageId: id,
    callId: z.string().max(1_000),
  }),
  /** Does something about the command that a call runs, or ran. `leave`: it goes on, and nobody waits for it. */
  z.strictObject({
    type: z.literal('actOnCommand'),
    action: z.enum(['stop', 'leave', 'showTerminal']),
    callId: z.string().max(1_000),
    /** What the command is known by, once its call has ended. */
    commandId: z.string().max(1_000).optional(),
  }),
  /** Shows the branch on which a task was explored. */
  z.strictObject({ type: z.literal('openTask'), ...acting, branchId: id }),
  /** Stops the run that explores a task. */
  z.strictObject({ type: z.literal('stopTask'), ...acting, branch: id }),
] as const;
export type AnswersNotice = z.infer<(typeof answersNotices)[number]>;

/** What every page that shows answers may ask. */
export const answersRequests = [
  /** How a colour theme, by VS Code's id, colours code. */
  z.strictObject({ type: z.literal('readTokenStyles'), themeId: z.string().max(1_000) }),
  /** Which of these, found in answers, are files of the workspace. */
  z.strictObject({ type: z.literal('findFiles'), names: z.array(z.string().max(1_000)).max(MAX_NAMES) }),
  /** A picture among the artifacts of the conversation. */
  z.strictObject({ type: z.literal('loadPicture'), ...acting, name: z.string().min(1).max(1_000) }),
  /** A picture that went with a question, or that a tool answered with. */
  z.strictObject({ type: z.literal('loadImage'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
] as const;
export type AnswersRequest = z.infer<(typeof answersRequests)[number]>;

export const answersReplies = {
  readTokenStyles: z.strictObject({ styles: tokenStyles }),
  findFiles: z.strictObject({ files: z.array(fileView) }),
  /** The artifact as a `data:` address; without one, it is no picture or not there. */
  loadPicture: z.strictObject({ address: z.string().optional() }),
  /** The bytes in base64; without any when they are no longer kept. */
  loadImage: z.strictObject({ mediaType: z.string(), data: z.string().optional() }),
} satisfies Record<AnswersRequest['type'], z.ZodType>;
