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

/** The largest PDF that is kept, in bytes: in base64 it has to leave room in a request for all that is said. */
export const MAX_PDF_BYTES = 20_000_000;

/** A PDF, by the SHA-256 of its bytes, which the host keeps. */
export const pdfAttachment = z.strictObject({
  type: z.literal('pdf'),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string().min(1).max(200),
  /** In bytes; left out where it is not known. */
  size: z.int().positive().optional(),
  /** Left out where they could not be counted. */
  pages: z.int().positive().optional(),
});
export type PdfAttachment = z.infer<typeof pdfAttachment>;

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

export const attachment = z.discriminatedUnion('type', [
  imageAttachment,
  pdfAttachment,
  fileAttachment,
  contextAttachment,
]);
export type Attachment = z.infer<typeof attachment>;

/** What the last text editor shows, by its name and the selected lines; its text is read when the question is asked. */
export const editorPart = z.strictObject({
  name: z.string().min(1).max(4_096),
  /** From 1, both included; of a document without a selection there are none. */
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
});
export type EditorPart = z.infer<typeof editorPart>;

export const attachments = z.array(attachment).max(MAX_ATTACHMENTS);
