import { z } from 'zod';
import { fileView, partView, textPartView } from './views.ts';
import { actionFailed, localised } from './everyPage.ts';

/** Parts of code that a theme colors; each is a class that the page gives to pieces of highlighted code. */
export const TOKENS = [
  ...['keyword', 'control', 'builtin', 'type', 'literal', 'number', 'operator', 'punctuation', 'property'],
  ...[
    'regexp',
    'string',
    'escape',
    'symbol',
    'variable',
    'self',
    'constant',
    'function',
    'class',
    'parameter',
  ],
  ...['comment', 'doctag', 'directive', 'heading', 'tag', 'attribute', 'bullet', 'raw', 'link', 'quote'],
  ...['selector', 'pseudo', 'inserted', 'deleted'],
] as const;

/** How a theme shows a part of code. */
const tokenStyle = z.object({
  color: z
    .string()
    .regex(/^#[0-9a-f]{3,8}$/i)
    .optional(),
  isItalic: z.boolean().optional(),
  isBold: z.boolean().optional(),
});
export type TokenStyle = z.infer<typeof tokenStyle>;

/** By the names in `TOKENS`. Missing parts have the color of plain text. */
const tokenStyles = z.record(z.string(), tokenStyle);
export type TokenStyles = z.infer<typeof tokenStyles>;

/** The maximum number of file names in one request. */
export const MAX_NAMES = 200;

export const id = z.string().min(1).max(1_000);

/**
 * What the page shows: a chat on a branch, or the answers to a question. A request for another conversation than the
 * host's is refused, because the page still shows the other one.
 */
export const shownPosition = z.strictObject({
  chatId: id,
  branch: id.optional(),
  questionId: id.optional(),
});
export type ShownPosition = z.infer<typeof shownPosition>;

/** Requests that act on the shown conversation identify it. */
export const acting = { place: shownPosition };

/** The page is ready and has no content yet; `again`: it has missed something. */
export const ready = z.strictObject({ type: z.literal('ready'), again: z.literal(true).optional() });

/** Stops the answer streaming on `branch`; the received part is kept. */
export const stopAnswer = z.strictObject({ type: z.literal('stopAnswer'), ...acting, branch: id });

/** The messages common to all pages that show answers. */
export const answersNotices = [
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
  z.strictObject({ type: z.literal('insertText'), text: z.string().max(10_000_000) }),
  /** Previews applying a code block to its file, or to the one in the editor. */
  z.strictObject({
    type: z.literal('applyCode'),
    code: z.string().max(10_000_000),
    language: z.string().max(1_000),
    file: z.string().max(1_000).optional(),
  }),
  /** Opened by the host after a check of its scheme. */
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(10_000) }),
  /** Shows the full input and output of a call, in the editor. */
  z.strictObject({
    type: z.literal('openToolCall'),
    ...acting,
    messageId: id,
    callId: z.string().max(1_000),
  }),
  /** Acts on the command of a call. `leave`: it continues, and nothing waits for it. */
  z.strictObject({
    type: z.literal('actOnCommand'),
    action: z.enum(['stop', 'leave', 'showTerminal']),
    callId: z.string().max(1_000),
    /** The id of the command, once its call has ended. */
    commandId: z.string().max(1_000).optional(),
  }),
  /** Shows the branch on which a task was explored. */
  z.strictObject({ type: z.literal('openTask'), ...acting, branchId: id }),
  /** Stops the run that explores a task. */
  z.strictObject({ type: z.literal('stopTask'), ...acting, branch: id }),
] as const;
export type AnswersNotice = z.infer<(typeof answersNotices)[number]>;

/** The requests common to all pages that show answers. */
export const answersRequests = [
  /** The code colors of a theme, by VS Code's id. */
  z.strictObject({ type: z.literal('readTokenStyles'), themeId: z.string().max(1_000) }),
  /** Which of these names, found in answers, are files of the workspace. */
  z.strictObject({ type: z.literal('findFiles'), names: z.array(z.string().max(1_000)).max(MAX_NAMES) }),
  /** A picture among the artifacts of the conversation. */
  z.strictObject({ type: z.literal('loadPicture'), ...acting, name: z.string().min(1).max(1_000) }),
  /** A picture attached to a question, or returned by a tool. */
  z.strictObject({ type: z.literal('loadImage'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
] as const;
export type AnswersRequest = z.infer<(typeof answersRequests)[number]>;

export const answersReplies = {
  readTokenStyles: z.strictObject({ styles: tokenStyles }),
  findFiles: z.strictObject({ files: z.array(fileView) }),
  /** The artifact as a `data:` address; absent when it is not a picture or does not exist. */
  loadPicture: z.strictObject({ address: z.string().optional() }),
  /** The bytes in base64; absent when they are no longer kept. */
  loadImage: z.strictObject({ mediaType: z.string(), data: z.string().optional() }),
} satisfies Record<AnswersRequest['type'], z.ZodType>;

/** The host's messages to every page that shows answers. */
export const answersFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /**
   * The conversation or the answers cannot be shown: the page is cleared, so that no other content is mistaken for
   * it.
   */
  z.strictObject({
    type: z.literal('conversationFailed'),
    reason: z.string(),
    /** The shared store cannot be reached; it is retried automatically. */
    isAway: z.literal(true).optional(),
  }),
  /** More text of a streaming answer, on any branch; `offset` is the previous length of the part. */
  z.strictObject({
    type: z.literal('answerDelta'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: textPartView,
    offset: z.number().int().nonnegative(),
  }),
  /** A new or completely changed part of a streaming answer: a tool call. */
  z.strictObject({
    type: z.literal('answerPart'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: partView,
  }),
  /** The themes' code colors have changed: the page requests those of its theme again. */
  z.strictObject({ type: z.literal('codeColorsChanged') }),
]);
export type AnswersFromHost = z.infer<typeof answersFromHost>;
