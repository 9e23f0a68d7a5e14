import { z } from 'zod';
import {
  formatInEnglish,
  messageDescriptorSchema,
  verbatim,
  type MessageDescriptor,
} from '../../engine/messageDescriptor.ts';

/** A notice in the chat about an answer, stored with the answer: `code` is for programs. */
export const noticeSchema = z.object({
  code: z.string(),
  /** In English, also if stored by a version without phrases. */
  message: z.string(),
  phrase: messageDescriptorSchema.optional(),
});
export type Notice = Readonly<z.infer<typeof noticeSchema>>;

export function createNotice(code: string, descriptor: MessageDescriptor): Notice {
  return { code, message: formatInEnglish(descriptor), phrase: descriptor };
}

export function noticeDescriptor({ message, phrase: descriptor }: Notice): MessageDescriptor {
  return descriptor ?? verbatim(message);
}
