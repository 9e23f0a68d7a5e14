import { z } from 'zod';

/** The value of a placeholder in a message. */
export type MessageArgument = string | number | MessageDescriptor;

/** A text for people in no language: code that shows it translates the template and fills `{0}`, `{1}` and so on. */
export interface MessageDescriptor {
  /** In English. */
  readonly template: string;
  readonly args: readonly MessageArgument[];
}

export const messageDescriptorSchema: z.ZodType<MessageDescriptor> = z.object({
  template: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => messageDescriptorSchema)])),
});

/** The template must be a literal in the call, so that translatable texts can be extracted. */
export function defineMessage(template: string, ...args: readonly MessageArgument[]): MessageDescriptor {
  return { template, args };
}

/** A text that is already in the user's language or in none: a server's response, a file name. */
export function verbatim(text: string): MessageDescriptor {
  return { template: '{0}', args: [text] };
}

/** `translate` finds the template in a language and fills its placeholders. */
export function formatMessage(
  { template, args }: MessageDescriptor,
  translate: (template: string, args: readonly (string | number)[]) => string,
): string {
  return translate(
    template,
    args.map((arg) => (typeof arg === 'object' ? formatMessage(arg, translate) : arg)),
  );
}

export function formatInEnglish(descriptor: MessageDescriptor): string {
  return formatMessage(descriptor, (template, args) =>
    template.replaceAll(/\{(\d+)\}/g, (gap, index: string) => String(args[Number(index)] ?? gap)),
  );
}
