import { z } from 'zod';

/** Picture types that models accept and a page may show: no SVG, which can contain scripts and addresses. */
export const imageType = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const MAX_ATTACHMENTS = 20;

/** In bytes: servers accept no more in base64. */
export const MAX_IMAGE_BYTES = 3_750_000;

/** By the SHA-256 of its bytes, which the host stores. */
export const imageAttachment = z.strictObject({
  type: z.literal('image'),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mediaType: imageType,
  name: z.string().min(1).max(200),
});
export type ImageAttachment = z.infer<typeof imageAttachment>;

/** In bytes: in base64 it must leave room in a request for the messages. */
export const MAX_PDF_BYTES = 20_000_000;

export const pdfAttachment = z.strictObject({
  type: z.literal('pdf'),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string().min(1).max(200),
  /** In bytes; left out if unknown. */
  size: z.int().positive().optional(),
  /** Left out if they could not be counted. */
  pages: z.int().positive().optional(),
});
export type PdfAttachment = z.infer<typeof pdfAttachment>;

/** A file of the workspace, or lines of it, as they are when the question is asked. */
export const fileAttachment = z.strictObject({
  type: z.literal('file'),
  /** Relative to its folder; begins with the folder's name if several are open. */
  path: z.string().min(1).max(4_096),
  /** From 1, both inclusive. */
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
});
export type FileAttachment = z.infer<typeof fileAttachment>;

/** The maximum length of text that is attached unchanged, in UTF-16 units. */
export const MAX_TEXT = 60_000;

/** As it is when the question is asked; a text is kept as it was when it was attached. */
export const contextAttachment = z.strictObject({
  type: z.literal('context'),
  of: z.enum(['folder', 'problems', 'changes', 'text']),
  /** The path of a folder or the name of a text; empty where there is only one. */
  name: z.string().max(4_096),
  text: z.string().max(MAX_TEXT).optional(),
});
export type ContextAttachment = z.infer<typeof contextAttachment>;

export const attachment = z.discriminatedUnion('type', [
  imageAttachment,
  pdfAttachment,
  fileAttachment,
  contextAttachment,
]);
export type Attachment = z.infer<typeof attachment>;

/** The content of the last text editor, by name and selected lines; its text is read when the question is asked. */
export const editorPart = z.strictObject({
  name: z.string().min(1).max(4_096),
  /** From 1, both inclusive; absent without a selection. */
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
});
export type EditorPart = z.infer<typeof editorPart>;

export const attachments = z.array(attachment).max(MAX_ATTACHMENTS);
