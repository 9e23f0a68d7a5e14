import { nextBranchName } from '../engine/branchNames.ts';
import { InvalidNameError } from '../engine/errors.ts';
import { MAX_NAME_LENGTH } from '../engine/limits.ts';
import type { JsonValue } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { checkedName, storable } from '../engine/storable.ts';
import { validTime } from '../engine/time.ts';
import type { UIMessagePart, TextPart } from '../engine/uiMessage.ts';
import { sha256 } from '../engine/bytes.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ImportReport } from './importReport.ts';

interface Added {
  /** The message id is derived from it, so that a repeated import finds it; without one it is new each time. */
  readonly key?: string | undefined;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly UIMessagePart[];
  readonly createdAt: number;
  readonly model?: string | undefined;
}

/** The longest part of a program's message id that is kept, in UTF-16 units. */
const MAX_KEY = 200;

/** Builds a chat from another program's data: a tree of messages, a branch for each leaf, checkpoints. */
export class ChatBuilder {
  private readonly messages: PortableChat['messages'] = [];
  private readonly checkpoints: PortableChat['checkpoints'] = [];
  private readonly turns = new Map<string, string>();
  private readonly names = new Map<string, string>();

  /** @param now later times are invalid, and are replaced with it */
  constructor(private readonly now: number) {}

  get size(): number {
    return this.messages.length;
  }

  /** @returns the id of the message; for a known key, the earlier message stays */
  add({ key, parentId, role, parts, createdAt, model }: Added): string {
    const id = key === undefined ? crypto.randomUUID() : idOf(key);
    if (this.turns.has(id)) return id;
    const turn = role === 'user' || parentId === null ? id : (this.turns.get(parentId) ?? id);
    this.turns.set(id, turn);
    const at = validTime(createdAt, this.now);
    const message = {
      id,
      role,
      parts: parts.map(wellFormed),
      ...(role === 'assistant' && model !== undefined ? { metadata: importedAnswer(model, at) } : {}),
    };
    this.messages.push({
      id,
      parentId,
      name: role,
      type: 'message',
      // Built from JSON, and well-formed.
      data: storable(message, 'message'),
      invocationId: turn,
      createdAt: at,
    });
    return id;
  }

  /** An invalid or taken name is changed. */
  mark(name: string, messageId: string, createdAt: number): void {
    const taken = new Set(this.checkpoints.map((checkpoint) => checkpoint.name));
    this.checkpoints.push({
      name: freeName(name, 'checkpoint', taken),
      messageId,
      createdAt: validTime(createdAt, this.now),
    });
  }

  nameBranch(endId: string, name: string): void {
    this.names.set(endId, freeName(name, 'branch', new Set(this.names.values())));
  }

  /** @param currentId the user's position in it: the end of `main`, which is the active branch */
  build(title: string | undefined, currentId: string | null, now: number): PortableChat {
    const createdAt = this.messages[0]?.createdAt ?? now;
    const updatedAt = this.messages.reduce(
      (latest, message) => Math.max(latest, message.createdAt),
      createdAt,
    );
    return {
      id: crypto.randomUUID(),
      ...(title === undefined || title.trim() === '' ? {} : { title: titleOf(title) }),
      metadata: {},
      createdAt,
      updatedAt,
      messages: this.messages,
      branches: this.branches(currentId, createdAt),
      checkpoints: this.checkpoints,
      events: [{ kind: 'chat-created', branch: 'main', details: { imported: true }, createdAt: now }],
    };
  }

  private branches(currentId: string | null, createdAt: number): PortableChat['branches'] {
    const parents = new Map(this.messages.map(({ id, parentId }) => [id, parentId]));
    const hasChild = new Set(parents.values());
    const ends = this.messages.filter(({ id }) => !hasChild.has(id) && id !== currentId).map(({ id }) => id);
    const onBranch = new Set<string | null>();
    const forkOf = (end: string | null): string | null => {
      let at = end;
      while (at !== null && !onBranch.has(at)) {
        onBranch.add(at);
        at = parents.get(at) ?? null;
      }
      return at;
    };
    forkOf(currentId);
    const main = { name: 'main', headMessageId: currentId, forkMessageId: null, isActive: true, createdAt };
    const names: string[] = [];
    const others = ends.map((end) => {
      const name = this.names.get(end) ?? nextBranchName('main', names);
      names.push(name);
      const forkMessageId = forkOf(end);
      return { name, headMessageId: end, forkMessageId, parentBranch: 'main', isActive: false, createdAt };
    });
    return [main, ...others];
  }
}

export function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.slice(0, 100).toWellFormed().replaceAll('\0', ' ');
}

function idOf(key: string): string {
  return `imported:${key.slice(0, MAX_KEY).toWellFormed().replaceAll('\0', ' ')}`;
}

/** An answer's metadata in this program's form; no available model has such an id. */
function importedAnswer(model: string, at: number): JsonValue {
  const label = model.slice(0, 100).toWellFormed().replaceAll('\0', ' ');
  return {
    modelId: `imported/${label}`,
    modelLabel: label,
    isDemo: false,
    status: 'complete',
    startedAt: at,
    finishedAt: at,
  };
}

function freeName(name: string, otherwise: string, taken: ReadonlySet<string>): string {
  const wanted = nameOf(name, otherwise);
  let free = wanted;
  for (let number = 2; taken.has(free); number++) {
    const end = ` (${number})`;
    free = `${wanted.slice(0, MAX_NAME_LENGTH - end.length).toWellFormed()}${end}`;
  }
  return free;
}

function nameOf(name: string, otherwise: string): string {
  try {
    return checkedName(name, 'name');
  } catch (error) {
    if (!(error instanceof InvalidNameError)) throw error;
    const clean = name
      .replaceAll(/\p{Cc}+/gu, ' ')
      .toWellFormed()
      .trim()
      .slice(0, 150)
      .toWellFormed()
      .trim();
    return clean === '' ? otherwise : clean;
  }
}

/** Other programs may store half of a surrogate pair, which the database cannot. */
function wellFormed(part: UIMessagePart): JsonValue {
  const text = JSON.stringify(part, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  // JSON.parse returns only JSON.
  return JSON.parse(text) as JsonValue;
}

/** From the content of a record and all before it: a copy in another session, or a second import, has the same key. */
export async function chainKey(parentKey: string, content: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(`${parentKey}\n${JSON.stringify(content)}`);
  return (await sha256(Uint8Array.from(bytes))).slice(0, 40);
}

/** Precedes pictures that a tool returned, which are not part of an answer. */
export const SHOWN: TextPart = { type: 'text', text: '[Pictures that a tool returned:]' };

interface Call {
  readonly toolName: string;
  readonly input: unknown;
}

/** The tool calls of a session until their results arrive: both are shown together. */
export class ToolCalls {
  private readonly open = new Map<string, Call>();
  private readonly known = new Map<string, Call>();

  called(id: string, toolName: string, input: unknown): void {
    const call = { toolName: toolName === '' ? 'tool' : toolName.slice(0, 100), input: input ?? {} };
    this.open.set(id, call);
    this.known.set(id, call);
  }

  result(id: string, output: unknown, isError = false, toolName = 'tool'): UIMessagePart {
    const { toolName: name, input } = this.known.get(id) ?? { toolName, input: {} };
    this.open.delete(id);
    const call = { type: 'dynamic-tool', toolName: name, toolCallId: id, input } as const;
    return isError
      ? {
          ...call,
          state: 'output-error',
          errorText: typeof output === 'string' ? output : JSON.stringify(output),
        }
      : { ...call, state: 'output-available', output };
  }

  /** Reports calls without a result: they were incomplete or cut off. */
  reportOpen(report: ImportReport): void {
    report.add(defineMessage('Calls of tools without a result'), this.open.size);
  }
}
