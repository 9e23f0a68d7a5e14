import { z } from 'zod';
import { answerMetadataOf } from '../../src/agent/run/answerMetadata.ts';
import { pathSummaryOf } from '../../src/engine/pathSummary.ts';
import type { PortableChat } from '../../src/engine/portableChat.ts';
import {
  isReasoningPart,
  isTextPart,
  isToolPart,
  readUIMessage,
  toolNameOf,
  type UIMessagePart,
} from '../../src/engine/uiMessage.ts';
import type { Picture } from './said.ts';
import type { Item } from './told.ts';

/** A branch of an imported chat, as the record's ways are. */
export interface ImportedWay {
  readonly branch: string;
  readonly items: readonly Item[];
  readonly isActive: boolean;
  /** Of its messages, in their order. */
  readonly ids: readonly string[];
  readonly times: readonly number[];
}

export function importedWays({ messages, branches }: PortableChat): ImportedWay[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return branches.map(({ name, headMessageId, isActive }) => {
    const path: PortableChat['messages'] = [];
    for (let at = byId.get(headMessageId ?? ''); at; at = byId.get(at.parentId ?? '')) path.unshift(at);
    return {
      branch: name,
      isActive,
      items: path.flatMap(itemsOf),
      ids: path.map(({ id }) => id),
      times: path.map(({ createdAt }) => createdAt),
    };
  });
}

function itemsOf({ data }: PortableChat['messages'][number]): Item[] {
  const message = readUIMessage(data);
  if (!message) return [{ kind: 'text', text: '(unreadable)', model: '', isCut: false }];
  const summary = pathSummaryOf(message);
  if (summary) return [{ kind: 'summary', text: summary.text }];
  const answer = answerMetadataOf(message);
  const isCut = answer?.status === 'interrupted';
  return message.parts.map((part) =>
    message.role === 'user' && isTextPart(part)
      ? { kind: 'question', text: part.text }
      : itemOf(part, answer?.modelLabel ?? '', isCut),
  );
}

function itemOf(part: UIMessagePart, model: string, isCut: boolean): Item {
  if (isTextPart(part)) return { kind: 'text', text: part.text, model, isCut };
  if (isReasoningPart(part)) return { kind: 'reasoning', text: part.text };
  if (part.type === 'file') return { kind: 'picture', picture: pictureOf(part) };
  if (!isToolPart(part)) return { kind: 'text', text: `(${part.type})`, model, isCut };
  const call = { kind: 'call', name: toolNameOf(part), input: part.input } as const;
  if (part.state === 'output-error') {
    return { ...call, result: { text: part.errorText, isError: true, pictures: [] } };
  }
  if (part.state !== 'output-available') return call;
  const shown = withFiles.safeParse(part.output).data;
  if (shown) return { ...call, result: { text: shown.text, pictures: shown.files.map(pictureOf) } };
  const text = typeof part.output === 'string' ? part.output : JSON.stringify(part.output);
  return { ...call, result: { text, isError: false, pictures: [] } };
}

/** The result of a tool that showed pictures. */
const withFiles = z.object({
  text: z.string(),
  files: z.array(z.object({ mediaType: z.string(), url: z.string() })),
});

function pictureOf({ mediaType, url }: { readonly mediaType: string; readonly url: string }): Picture {
  return { mediaType, sha256: url.replace(/^offshoot-blob:/u, '') };
}
