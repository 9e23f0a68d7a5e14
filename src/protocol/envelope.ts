import { z } from 'zod';

/** The number that a page gives to a request, and that the reply names. */
const messageId = z.int().positive();

/** What the envelope adds to what a page asks. */
export interface Asked<Body> {
  readonly type: 'request';
  readonly messageId: number;
  readonly body: Body;
}

/** What a page asks and waits for, as it travels: a request, and the number that its reply is to name. */
export function requestOf<Body extends z.ZodType>(
  body: Body,
): z.ZodObject<{ type: z.ZodLiteral<'request'>; messageId: typeof messageId; body: Body }, z.core.$strict> {
  return z.strictObject({ type: z.literal('request'), messageId, body });
}

/** What comes back for a request: once for each, and nothing after the page has gone. */
export const replyMessage = z.discriminatedUnion('type', [
  /** The page reads the body by the schema of what it asked. */
  z.strictObject({ type: z.literal('reply'), inReplyTo: messageId, body: z.unknown() }),
  /** It was not done; with what to do. */
  z.strictObject({ type: z.literal('requestRefused'), inReplyTo: messageId, reason: z.string() }),
]);
export type ReplyMessage = z.infer<typeof replyMessage>;

/** What a page and its host say to each other, as types. */
export interface PageProtocol {
  /** Notices, and one `request` that holds all the page can ask. */
  readonly fromPage: { readonly type: string };
  /** By the type of a request, what comes back. */
  readonly replies: object;
  readonly fromHost: { readonly type: string };
}

/** What a page says without waiting for anything. */
export type NoticeOf<P extends PageProtocol> = Exclude<P['fromPage'], { type: 'request' }>;

/** What a page asks and waits for. */
export type RequestOf<P extends PageProtocol> =
  Extract<P['fromPage'], { type: 'request' }> extends { body: infer Body extends { type: string } }
    ? Body
    : never;

/** What comes back for a request of this type. */
export type ReplyTo<P extends PageProtocol, Type> = Type extends keyof P['replies']
  ? P['replies'][Type]
  : never;

/** What the schemas of replies describe. */
export type Replies<Schemas extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Type in keyof Schemas]: z.infer<Schemas[Type]>;
};
