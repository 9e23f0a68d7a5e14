import { nextBranchName } from '../engine/branchNames.ts';
import { InvalidNameError } from '../engine/errors.ts';
import { MAX_NAME_LENGTH } from '../engine/limits.ts';
import type { JsonObject, JsonValue } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { checkedName, storable } from '../engine/storable.ts';
import { validTime } from '../engine/time.ts';
import { readUIMessage, type TextPart, type UIMessagePart } from '../engine/uiMessage.ts';
import { sha256 } from '../engine/bytes.ts';
import { BRANCH_SUMMARY } from '../engine/branchSummary.ts';
import { pathSummaryMessage } from '../engine/pathSummary.ts';
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

/** A summary that stands for everything before it, as far as the program sends it to the model. */
interface Folded extends Omit<Added, 'role' | 'parts'> {
  readonly text: string;
  /** The first of the messages before it that are sent as well; undefined: there are none. */
  readonly keptFrom?: string | null | undefined;
}

/** The longest part of a program's message id that is kept, in UTF-16 units. */
const MAX_KEY = 200;

/** How many messages all summaries of a chat may name as sent next to them: a file may have any number of summaries. */
const MAX_KEPT = 10_000;

/** Builds a chat from another program's data: a tree of messages, a branch for each leaf, checkpoints. */
export class ChatBuilder {
  private readonly messages: PortableChat['messages'] = [];
  private readonly checkpoints: PortableChat['checkpoints'] = [];
  private readonly turns = new Map<string, string>();
  private readonly parents = new Map<string, string | null>();
  /** The first message on the way to each, and how many there are. */
  private readonly places = new Map<string, { readonly first: string; readonly depth: number }>();
  private keptLeft = MAX_KEPT;
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
    const at = validTime(createdAt, this.now);
    const metadata = role === 'assistant' && model !== undefined ? importedAnswer(model, at) : undefined;
    this.push(
      { id, parentId, turn, at, name: role },
      { id, role, parts: parts.map(wellFormed), ...(metadata === undefined ? {} : { metadata }) },
    );
    return id;
  }

  /** The program compacted here. @returns the id of the summary; for a known key, the earlier message stays */
  fold({ key, parentId, text, createdAt, model, keptFrom }: Folded): string {
    const covered = parentId === null ? undefined : this.places.get(parentId);
    // There is nothing that it could stand for.
    if (parentId === null || !covered) {
      const parts: readonly UIMessagePart[] = [{ type: 'text', text }];
      return this.add({ key, parentId, role: 'assistant', parts, createdAt, model });
    }
    const id = key === undefined ? crypto.randomUUID() : idOf(key);
    if (this.turns.has(id)) return id;
    const at = validTime(createdAt, this.now);
    const kept = typeof keptFrom === 'string' ? this.between(keptFrom, parentId) : [];
    const message = pathSummaryMessage(id, {
      kind: 'compacted',
      text: text.toWellFormed(),
      source: {
        branch: 'main',
        headMessageId: parentId,
        from: covered.first,
        to: parentId,
        count: covered.depth,
        ...(kept.length === 0 ? {} : { kept }),
      },
      ...(model === undefined ? {} : { model: labelOf(model) }),
      writtenAt: new Date(at).toISOString(),
    });
    this.push({ id, parentId, turn: this.turns.get(parentId) ?? id, at, name: BRANCH_SUMMARY }, message);
    return id;
  }

  /** The user stopped the answer that this message is a part of, if it is one. */
  interrupt(messageId: string): void {
    const index = this.messages.findLastIndex(({ id }) => id === messageId);
    const message = this.messages[index];
    const read = message && readUIMessage(message.data);
    if (!message || read?.role !== 'assistant') return;
    const metadata = {
      ...(read.metadata === undefined ? importedAnswer('', message.createdAt) : read.metadata),
      status: 'interrupted',
    };
    this.messages[index] = { ...message, data: storable({ ...read, metadata }, 'message') };
  }

  /** The messages from one to another below it; none if it is not above, or if they are too many. */
  private between(fromId: string, toId: string): string[] {
    const path: string[] = [];
    for (let at: string | null = toId; at !== null && this.keptLeft > 0; at = this.parents.get(at) ?? null) {
      // Also where nothing is found: the way to it has its cost.
      this.keptLeft -= 1;
      path.push(at);
      if (at === fromId) return path.reverse();
    }
    return [];
  }

  private push(
    {
      id,
      parentId,
      turn,
      at,
      name,
    }: {
      readonly id: string;
      readonly parentId: string | null;
      readonly turn: string;
      readonly at: number;
      readonly name: string;
    },
    message: object,
  ): void {
    this.turns.set(id, turn);
    this.parents.set(id, parentId);
    const above = parentId === null ? undefined : this.places.get(parentId);
    this.places.set(id, { first: above?.first ?? id, depth: (above?.depth ?? 0) + 1 });
    const data = storable(message, 'message');
    this.messages.push({ id, parentId, name, type: 'message', data, invocationId: turn, createdAt: at });
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
    const { parents } = this;
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
function importedAnswer(model: string, at: number): JsonObject {
  const label = labelOf(model);
  return {
    modelId: `imported/${label}`,
    modelLabel: label,
    isDemo: false,
    status: 'complete',
    startedAt: at,
    finishedAt: at,
  };
}

function labelOf(model: string): string {
  return model.slice(0, 100).toWellFormed().replaceAll('\0', ' ');
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

/** None for a text without words. */
export function textPart(text: string): TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
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

  /** How many there were. */
  get size(): number {
    return this.known.size;
  }

  called(id: string, toolName: string, input: unknown): void {
    const call = { toolName: toolName === '' ? 'tool' : toolName.slice(0, 100), input: input ?? {} };
    this.open.set(id, call);
    this.known.set(id, call);
  }

  /** @param pictures what the tool showed, as files: they are a part of the result */
  result(
    id: string,
    output: unknown,
    isError = false,
    toolName = 'tool',
    pictures: readonly UIMessagePart[] = [],
  ): UIMessagePart {
    const { toolName: name, input } = this.known.get(id) ?? { toolName, input: {} };
    this.open.delete(id);
    const call = { type: 'dynamic-tool', toolName: name, toolCallId: id, input } as const;
    // Only a result, and no error, has files.
    if (pictures.length > 0) {
      const text = typeof output === 'string' ? output : JSON.stringify(output);
      return { ...call, state: 'output-available', output: { text, files: pictures } };
    }
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
