import {
  isResult,
  textPart,
  type FilePart,
  type ResultOutput,
  type TalkMessage,
  type UserPart,
} from './prompt.ts';
import type { Target } from '../providerFacts.ts';

type ContentOutput = Extract<ResultOutput, { type: 'content' }>;
type ResultItem = ContentOutput['value'][number];

/** A file in a tool result has the same members as one from the user. */
export function isResultFile(item: ResultItem): item is ResultItem & FilePart {
  return item.type === 'file';
}

export function filesInResults(message: TalkMessage): FilePart[] {
  if (message.role !== 'tool') return [];
  return message.content
    .filter(isResult)
    .flatMap(({ output }) => (output.type === 'content' ? output.value.filter(isResultFile) : []));
}

/**
 * Every model with vision accepts files from the user; elsewhere, files in results are undocumented, or ignored by some
 * extensions that provide models to VS Code.
 */
export function fitResultFiles(messages: readonly TalkMessage[], { name, provider }: Target): TalkMessage[] {
  if (provider.takesFilesInResults?.(name) === true) return [...messages];
  return messages.flatMap((message): TalkMessage[] => {
    if (message.role !== 'tool' || filesInResults(message).length === 0) return [message];
    const moved: UserPart[] = [];
    const content = message.content.map((part) => {
      if (!isResult(part) || part.output.type !== 'content') return part;
      const files = part.output.value.filter(isResultFile);
      if (files.length > 0) {
        moved.push(
          textPart(`[What the tool ${part.toolName} answered with, and not the user’s words:]`),
          ...files,
        );
      }
      return { ...part, output: textOf(part.output) };
    });
    return [
      { ...message, content },
      { role: 'user', content: moved },
    ];
  });
}

function textOf({ value }: ContentOutput): ResultOutput {
  return {
    type: 'text',
    value: value.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n'),
  };
}
