import type { MessageView } from '../../protocol/views.ts';

/** What is said in a message, without what its tools did. */
export function textOfParts({ parts }: Pick<MessageView, 'parts'>, between = '\n\n'): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between);
}
