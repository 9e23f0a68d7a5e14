import { z } from 'zod';

/** The value of a placeholder in a message. */
export type MessageArgument = string | number | MessageDescriptor;

/**
 * A text for people, independent of language: the code that shows it looks the template up in the user's language and
 * fills the placeholders `{0}`, `{1}` and so on.
 */
export interface MessageDescriptor {
  /** In English. */
  readonly template: string;
  readonly args: readonly MessageArgument[];
}

/** Reads a stored message descriptor. */
export const messageDescriptorSchema: z.ZodType<MessageDescriptor> = z.object({
  template: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => messageDescriptorSchema)])),
});

/**
 * Makes a message descriptor. The template must be a literal in this call, so that translatable texts can be
 * extracted.
 */
export function defineMessage(template: string, ...args: readonly MessageArgument[]): MessageDescriptor {
  return { template, args };
}

/** A text that is already in the user's language or in none: a server's response, a file name. */
export function verbatim(text: string): MessageDescriptor {
  return { template: '{0}', args: [text] };
}

/** Formats a message: `translate` finds the template in a language and fills its placeholders. */
export function formatMessage(
  { template, args }: MessageDescriptor,
  translate: (template: string, args: readonly (string | number)[]) => string,
): string {
  return translate(
    template,
    args.map((arg) => (typeof arg === 'object' ? formatMessage(arg, translate) : arg)),
  );
}

/** The message in English. */
export function formatInEnglish(descriptor: MessageDescriptor): string {
  return formatMessage(descriptor, (template, args) =>
    template.replaceAll(/\{(\d+)\}/g, (gap, index: string) => String(args[Number(index)] ?? gap)),
  );
}
