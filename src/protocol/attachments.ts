import { z } from 'zod';

/** Pictures models take, and a page may show: no SVG, which can hold scripts and addresses. */
export const imageType = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** How many things may go with one question. */
export const MAX_ATTACHMENTS = 20;

/** The largest picture that is kept, in bytes: servers take no more once it is written in base64. */
export const MAX_IMAGE_BYTES = 3_750_000;

/** A picture, by the SHA-256 of its bytes, which the host keeps. */
export const imageAttachment = z.strictObject({
  type: z.literal('image'),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mediaType: imageType,
  name: z.string().min(1).max(200),
});
export type ImageAttachment = z.infer<typeof imageAttachment>;

/** A file of the workspace, or some lines of it, as they are when the question is asked. */
export const fileAttachment = z.strictObject({
  type: z.literal('file'),
  /** Below its folder; begins with the folder's name where several are open. */
  path: z.string().min(1).max(4_096),
  /** From 1, both included. */
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
});
export type FileAttachment = z.infer<typeof fileAttachment>;

/** The longest text that is attached as it is, in UTF-16 units. */
export const MAX_TEXT = 60_000;

/** Something else of the workspace, as it is when the question is asked; a text stays as it was when it was attached. */
export const contextAttachment = z.strictObject({
  type: z.literal('context'),
  of: z.enum(['folder', 'problems', 'changes', 'text']),
  /** The path of a folder, what a text is called; empty where there is one only. */
  name: z.string().max(4_096),
  text: z.string().max(MAX_TEXT).optional(),
});
export type ContextAttachment = z.infer<typeof contextAttachment>;

export const attachment = z.discriminatedUnion('type', [imageAttachment, fileAttachment, contextAttachment]);
export type Attachment = z.infer<typeof attachment>;

export const attachments = z.array(attachment).max(MAX_ATTACHMENTS);
