import { z } from 'zod';

/** What fills a gap of a message. */
export type MessageArgument = string | number | MessageDescriptor;

/**
 * A text for people as it was meant, before it is in any language: whoever shows it looks the template up in the
 * language of the user, and fills its gaps `{0}`, `{1}` and so on.
 */
export interface MessageDescriptor {
  /** In English. */
  readonly template: string;
  readonly args: readonly MessageArgument[];
}

/** A message descriptor as it is read back from where it was kept. */
export const messageDescriptorSchema: z.ZodType<MessageDescriptor> = z.object({
  template: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => messageDescriptorSchema)])),
});

/** Makes a message descriptor. Its template is written out where it is made, so that the texts for translators are found. */
export function defineMessage(template: string, ...args: readonly MessageArgument[]): MessageDescriptor {
  return { template, args };
}

/** A text that is in the language of the user already, or in none: what a server said, the name of a file. */
export function verbatim(text: string): MessageDescriptor {
  return { template: '{0}', args: [text] };
}

/** Formats a message: `translate` finds the template in a language, and fills its gaps. */
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
