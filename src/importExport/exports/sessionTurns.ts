import { z } from 'zod';
import { readDataUrl } from '../../base/dataUrl.ts';
import { toBase64 } from '../../engine/bytes.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import { sentPath } from '../../engine/sentPath.ts';
import type { BlobStore } from '../../engine/store.ts';
import {
  isTextPart,
  isToolPart,
  readUIMessage,
  stripReminders,
  toolNameOf,
  type UIMessage,
  type UIMessagePart,
} from '../../engine/uiMessage.ts';
import { branchPath } from '../branchPath.ts';
import { titleOf } from '../chatBuilder.ts';
import { attachedFileText } from '../messageMarkdown.ts';
import type {
  SessionAnswer,
  SessionBranch,
  SessionCall,
  SessionPicture,
  SessionTurn,
} from './sessionExport.ts';

type Message = PortableChat['messages'][number];
type ToolPart = Extract<UIMessagePart, { toolCallId: string }>;

const answered = z.object({ modelLabel: z.string().min(1) });

/** Our own tools return a text, and others may return anything. */
const ownOutput = z.looseObject({ text: z.string() });

/** The pictures of a result whose bytes are kept. */
const withFiles = z.looseObject({
  files: z.array(z.looseObject({ type: z.literal('file'), mediaType: z.string(), url: z.string() })),
});

const pictureType = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** The same number as the APIs of models accept in a name or an id. */
const NAME_LENGTH = 64;

/**
 * A branch as another program's model is to see it: without reasoning, which only the model that wrote it can read, and
 * without reminders. An attached file is named: in the same folder, the other program can read it.
 * @param blobs where the bytes of pictures are kept; one whose bytes are gone is left out
 */
export async function sessionTurns(
  chat: PortableChat,
  branch: string,
  blobs: Pick<BlobStore, 'get'>,
): Promise<Pick<SessionBranch, 'title' | 'turns'>> {
  const writing = new TurnWriter(blobs);
  for (const { message, at } of sentMessages(branchPath(chat, branch))) await writing.add(message, at);
  const turns = writing.turns;
  const question = turns.find(({ role }) => role === 'user')?.text ?? '';
  const title = titleOf(chat.title ?? '') || titleOf(question) || 'Chat';
  const [first] = turns;
  if (first?.role !== 'assistant') return { title, turns };
  // No API accepts a conversation that begins with an answer.
  const opening = { role: 'user', text: title, pictures: [], createdAt: first.createdAt } as const;
  return { title, turns: [opening, ...turns] };
}

function sentMessages(path: readonly Message[]): { readonly message: UIMessage; readonly at: number }[] {
  const times = new Map(path.map(({ id, createdAt }) => [id, createdAt]));
  const messages = path.flatMap(({ id, type, data }) => {
    const read = type === 'internal' ? undefined : readUIMessage(data);
    return read ? [{ ...stripReminders(read), id }] : [];
  });
  return sentPath(messages).map((message) => ({ message, at: times.get(message.id) ?? 0 }));
}

class TurnWriter {
  readonly turns: SessionTurn[] = [];
  private calls = 0;
  private latest = 0;

  constructor(private readonly blobs: Pick<BlobStore, 'get'>) {}

  async add(message: UIMessage, at: number): Promise<void> {
    // A compacted part is older than what it stands in front of, and clocks may have been changed.
    this.latest = Math.max(this.latest, at);
    if (message.role === 'user') await this.question(message.parts);
    else if (message.role === 'assistant') {
      const model = answered.safeParse(message.metadata).data?.modelLabel;
      for (const step of stepsOf(message.parts)) await this.step(step, model);
    }
  }

  private async question(parts: readonly UIMessagePart[]): Promise<void> {
    const text = parts.flatMap(spokenText).join('\n\n');
    const pictures = await this.pictures(parts);
    if (text === '' && pictures.length === 0) return;
    this.turns.push({ role: 'user', text, pictures, createdAt: this.latest });
  }

  private async step(step: readonly UIMessagePart[], model: string | undefined): Promise<void> {
    const [steering] = step;
    if (steering?.type === 'steering-message' && 'parts' in steering) {
      await this.question(stripReminders(steering).parts);
      return;
    }
    const text = step.flatMap(spokenText).join('\n\n');
    const calls: SessionCall[] = [];
    for (const part of step) {
      if (isToolPart(part) && part.state !== 'input-streaming') calls.push(await this.call(part));
    }
    if (text === '' && calls.length === 0) return;
    const answer: SessionAnswer = { role: 'assistant', text, calls, model, createdAt: this.latest };
    this.turns.push(answer);
  }

  private async call(part: ToolPart): Promise<SessionCall> {
    this.calls += 1;
    const name = toolNameOf(part)
      .replaceAll(/[^a-zA-Z0-9_-]/gu, '_')
      .slice(0, NAME_LENGTH);
    const files =
      part.state === 'output-available' ? withFiles.safeParse(part.output).data?.files : undefined;
    return {
      id: `call_${this.calls}`,
      name: name === '' ? 'tool' : name,
      input: isObject(part.input) ? part.input : {},
      result: resultText(part),
      isError: part.state !== 'output-available',
      pictures: await this.pictures(files ?? []),
    };
  }

  private async pictures(
    parts: readonly { readonly type: string; readonly url?: unknown; readonly mediaType?: unknown }[],
  ): Promise<SessionPicture[]> {
    const found: SessionPicture[] = [];
    for (const { type, url, mediaType } of parts) {
      const known = pictureType.safeParse(mediaType).data;
      const base64 =
        type === 'file' && known && typeof url === 'string' ? await this.bytesOf(url) : undefined;
      if (known && base64 !== undefined) found.push({ mediaType: known, base64 });
    }
    return found;
  }

  private async bytesOf(url: string): Promise<string | undefined> {
    const hash = /^offshoot-blob:([0-9a-f]{64})$/u.exec(url)?.[1];
    if (hash === undefined) return readDataUrl(url)?.base64;
    const bytes = await this.blobs.get(hash);
    return bytes && toBase64(bytes);
  }
}

/** One for each reply of the model; a text after calls begins one, also where nothing marks it. */
function stepsOf(parts: readonly UIMessagePart[]): UIMessagePart[][] {
  const steps: UIMessagePart[][] = [[]];
  let hasCalls = false;
  const begin = (...step: UIMessagePart[]): void => {
    steps.push(step);
    hasCalls = false;
  };
  for (const part of parts) {
    if (part.type === 'step-start') begin();
    else if (part.type === 'steering-message') {
      begin(part);
      begin();
    } else if (isTextPart(part) && hasCalls) begin(part);
    else {
      hasCalls ||= isToolPart(part);
      steps.at(-1)?.push(part);
    }
  }
  return steps;
}

function spokenText(part: UIMessagePart): string[] {
  if (isTextPart(part)) return part.text.trim() === '' ? [] : [part.text];
  const attached = attachedFileText(part);
  return attached === undefined ? [] : [`[Attached file: ${attached}]`];
}

function resultText(part: ToolPart): string {
  switch (part.state) {
    case 'output-available': {
      const { output } = part;
      if (typeof output === 'string') return output;
      return ownOutput.safeParse(output).data?.text ?? JSON.stringify(output ?? null);
    }
    case 'output-error':
      return part.errorText;
    case 'output-denied':
      return part.approval.reason ?? 'The user did not allow this.';
    default:
      return 'The answer ended before this call had a result.';
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
