import { z } from 'zod';
import { ImportError } from '../engine/errors.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import { ChatBuilder, titleOf } from './chatBuilder.ts';
import { phrase } from '../engine/phrase.ts';

// Sessions of pi and its kin: one JSON value a line, the first of type `session`; entries are nodes of a tree by `id`
// and `parentId`, and in the oldest files a list without either. What is said and labels are read; settings are not.

const header = z.object({ type: z.literal('session'), timestamp: z.string().optional() });

const entry = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  parentId: z.string().nullable().optional(),
  timestamp: z.string().optional(),
});

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('toolCall'), id: z.string(), name: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);
type Block = z.infer<typeof block>;

const content = z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(block)]);

const said = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content }),
  z.object({ role: z.literal('assistant'), content }),
  z.object({
    role: z.literal('toolResult'),
    toolCallId: z.string(),
    toolName: z.string(),
    content,
    isError: z.boolean().optional(),
  }),
]);

const message = z.object({ message: z.looseObject({ role: z.string() }) });
const label = z.object({ targetId: z.string(), label: z.string().optional() });
const summary = z.object({ summary: z.string() });
const info = z.object({ name: z.string() });

/** Whether a text begins as a session does. */
export function isPiSession(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  try {
    return header.safeParse(JSON.parse(first)).success;
  } catch {
    return false;
  }
}

/** @throws ImportError with the line of the first fault */
export function readPiSession(text: string, now: number): PortableChat {
  const reading = new PiReader(now);
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') reading.take(parsed(line, index + 1), index + 1);
  }
  return reading.chat();
}

/** Goes through the entries once: what stands before is known. */
class PiReader {
  private readonly builder = new ChatBuilder();
  /** For each entry the message it is, or that it follows. */
  private readonly messageOf = new Map<string, string | null>();
  private readonly calls = new Map<string, unknown>();
  private last: string | null = null;
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(private readonly now: number) {}

  chat(): PortableChat {
    return this.builder.build(this.title ?? this.firstQuestion, this.last, this.now);
  }

  take(value: unknown, line: number): void {
    const { type, id, parentId, timestamp } = checkedLine(entry, value, line);
    if (type === 'session') return;
    const at = Date.parse(timestamp ?? '');
    const createdAt = Number.isFinite(at) && at >= 0 ? at : this.now;
    const above = this.above(parentId, line);
    if (type === 'label') this.mark(checkedLine(label, value, line), createdAt);
    else if (type === 'session_info') this.title = checkedLine(info, value, line).name;
    // What tells of the session and not of the conversation leads on to what it follows.
    this.last = this.added(type, value, line, above, createdAt) ?? above;
    if (id !== undefined) {
      if (this.messageOf.has(id))
        throw new ImportError(phrase('line {0}: the id {1} is there twice', line, JSON.stringify(id)));
      this.messageOf.set(id, this.last);
    }
  }

  private above(parentId: string | null | undefined, line: number): string | null {
    // The oldest files have no ids: an entry follows the one before it.
    if (parentId === undefined) return this.last;
    if (parentId === null) return null;
    const above = this.messageOf.get(parentId);
    if (above === undefined) {
      throw new ImportError(
        phrase('line {0}: no entry before it has the id {1}', line, JSON.stringify(parentId)),
      );
    }
    return above;
  }

  private added(
    type: string,
    value: unknown,
    line: number,
    parentId: string | null,
    createdAt: number,
  ): string | undefined {
    if (type === 'branch_summary' || type === 'compaction') {
      const text = checkedLine(summary, value, line).summary;
      const parts: UIMessagePart[] = [{ type: 'text', text }];
      return this.builder.add({ parentId, role: 'assistant', parts, createdAt });
    }
    if (type !== 'message') return undefined;
    const given = checkedLine(message, value, line).message;
    // Shell commands of the person and other kinds that only one program has.
    if (given.role !== 'user' && given.role !== 'assistant' && given.role !== 'toolResult') return undefined;
    const read = checkedLine(said, given, line);
    const parts = read.role === 'toolResult' ? [this.resultOf(read)] : this.partsOf(read.content);
    if (parts.length === 0) return undefined;
    if (read.role === 'user') this.firstQuestion ??= titleOf(textIn(read.content));
    return this.builder.add({
      parentId,
      role: read.role === 'user' ? 'user' : 'assistant',
      parts,
      createdAt,
    });
  }

  private partsOf(blocks: readonly Block[]): UIMessagePart[] {
    return blocks.flatMap((each): UIMessagePart[] => {
      switch (each.type) {
        case 'text':
          return each.text === '' ? [] : [{ type: 'text', text: each.text }];
        case 'thinking':
          return each.thinking === '' ? [] : [{ type: 'reasoning', text: each.thinking }];
        case 'image':
          return [
            { type: 'file', mediaType: each.mimeType, url: `data:${each.mimeType};base64,${each.data}` },
          ];
        case 'toolCall':
          // It is told with its result, which is an entry of its own.
          this.calls.set(each.id, each.arguments);
          return [];
        case 'other':
          return [];
      }
    });
  }

  private resultOf(result: Extract<z.infer<typeof said>, { role: 'toolResult' }>): UIMessagePart {
    const { toolCallId, toolName, isError } = result;
    const call = {
      type: 'dynamic-tool',
      toolName,
      toolCallId,
      input: this.calls.get(toolCallId) ?? {},
    } as const;
    const text = textIn(result.content);
    return isError === true
      ? { ...call, state: 'output-error', errorText: text }
      : { ...call, state: 'output-available', output: text };
  }

  private mark({ targetId, label: name }: z.infer<typeof label>, createdAt: number): void {
    const messageId = this.messageOf.get(targetId);
    if (typeof messageId === 'string' && name !== undefined) this.builder.mark(name, messageId, createdAt);
  }
}

function textIn(blocks: readonly Block[]): string {
  return blocks.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n\n');
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ImportError(phrase('line {0} is not JSON', number), { cause });
  }
}

function checkedLine<T extends z.ZodType>(schema: T, value: unknown, line: number): z.infer<T> {
  const read = schema.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, `line ${line}`);
  return read.data;
}
