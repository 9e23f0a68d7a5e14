import { z } from 'zod';

/** Sent once after `ready`: texts in the user's language, keyed by the English text. */
export const localised = z.strictObject({
  type: z.literal('localised'),
  texts: z.record(z.string(), z.string()),
  locale: z.string(),
});

/** A message was refused or an action failed; shown in the page, with advice. */
export const actionFailed = z.strictObject({
  type: z.literal('actionFailed'),
  text: z.string(),
  /** Its chat, which may not be the shown one any more. */
  chatId: z.string().optional(),
});

export type EveryPageFromHost = z.infer<typeof localised> | z.infer<typeof actionFailed>;

const messageId = z.int().positive();

export interface Asked<Body> {
  readonly type: 'request';
  readonly messageId: number;
  readonly body: Body;
}

export function requestOf<Body extends z.ZodType>(
  body: Body,
): z.ZodObject<{ type: z.ZodLiteral<'request'>; messageId: typeof messageId; body: Body }, z.core.$strict> {
  return z.strictObject({ type: z.literal('request'), messageId, body });
}

/** The reply to a request: one for each, and none after the page has closed. */
export const replyMessage = z.discriminatedUnion('type', [
  /** The page validates the body by the schema of its request. */
  z.strictObject({ type: z.literal('reply'), inReplyTo: messageId, body: z.unknown() }),
  z.strictObject({ type: z.literal('requestRefused'), inReplyTo: messageId, reason: z.string() }),
]);
export type ReplyMessage = z.infer<typeof replyMessage>;

export interface PageProtocol {
  /** Notices, and one `request` that holds all possible requests. */
  readonly fromPage: { readonly type: string };
  readonly replies: object;
  readonly fromHost: { readonly type: string };
}

/** The messages of a page without a reply. */
export type NoticeOf<P extends PageProtocol> = Exclude<P['fromPage'], { type: 'request' }>;

/** Those that a page's host handles; that the page is ready means the same for all. */
export type ActionOf<P extends PageProtocol> = Exclude<NoticeOf<P>, { type: 'ready' }>;

export type RequestOf<P extends PageProtocol> =
  Extract<P['fromPage'], { type: 'request' }> extends { body: infer Body extends { type: string } }
    ? Body
    : never;

/** All messages of a page, requests without their envelope. */
export type MessageOf<P extends PageProtocol> = NoticeOf<P> | RequestOf<P>;

export type ReplyTo<P extends PageProtocol, Type> = Type extends keyof P['replies']
  ? P['replies'][Type]
  : never;

export type Replies<Schemas extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Type in keyof Schemas]: z.infer<Schemas[Type]>;
};
