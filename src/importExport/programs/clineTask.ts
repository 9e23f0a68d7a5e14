import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { addTalk, withoutNotes, anthropicContent, readContent } from '../anthropicBlocks.ts';
import { chainKey, ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { isTooDeep } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import { isOfWorkspace, MAX_SESSIONS, type SessionSearch } from '../sessionPlaces.ts';
import { clineItems, type ClineItem } from './clineItems.ts';
import { clineCompaction, clineManifest, clineSession, type ClineCompaction } from './clineSession.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ProgramFormat } from '../programFormat.ts';

// Tasks of Cline and of Roo Code: a list of messages in the form of Anthropic's API.

const message = z.object({
  /** Since version 3. */
  id: z.string().optional().catch(undefined),
  role: z.enum(['user', 'assistant']),
  content: anthropicContent,
  ts: z.number().optional().catch(undefined),
  /** How many files came with it. */
  attached: z.number().default(0).catch(0),
  modelInfo: z
    .union([
      z.object({ modelId: z.string() }).transform(({ modelId }) => modelId),
      z.object({ id: z.string() }).transform(({ id }) => id),
    ])
    .optional()
    .catch(undefined),
});

const usedModels = z.object({
  model_usage: z
    .array(z.object({ ts: z.number().catch(0), model_id: z.string() }))
    .optional()
    .catch(undefined),
});

/** One session, or one task of an editor. */
interface ClineTalk {
  readonly id: string;
  readonly messages: readonly unknown[];
  readonly compaction?: ClineCompaction | undefined;
}

interface ClineTask {
  readonly program: 'cline' | 'roo';
  readonly title?: string | undefined;
  /** Forks come after what they were forked from. */
  readonly talks: readonly ClineTalk[];
  /** What agents said that it started, each as a list of messages. */
  readonly agents?: readonly (readonly unknown[])[];
  /** `task_metadata.json`, if there is one. */
  readonly metadata?: string | undefined;
}

export const cline: ProgramFormat = {
  program: 'cline',
  // A task's history: a list of messages. Those of Roo Code look the same.
  value: {
    detect: (value) =>
      (Array.isArray(value) && message.safeParse(value[0]).success) || clineSession.safeParse(value).success,
    read: async (file, now) => {
      const value = tryParseJson(await textOf(file));
      const session = clineSession.safeParse(value).data;
      const id = session?.sessionId ?? /\d{10,}/u.exec(file.name)?.[0] ?? file.name;
      const talk = { id, messages: session?.messages ?? listOf(value) };
      return [await clineChat({ program: 'cline', talks: [talk] }, now)];
    },
  },
  find: async (search) => {
    await findTasks(search, 'cline', 'saoudrizwan.claude-dev');
    await findClineSessions(search);
  },
};

export const roo: ProgramFormat = {
  program: 'roo',
  find: (search) => findTasks(search, 'roo', 'rooveterinaryinc.roo-cline'),
};

interface TaskFiles extends Pick<ClineTask, 'program' | 'title'> {
  readonly id: string;
  readonly history: SourceFile;
  readonly metadata?: SourceFile | undefined;
  /** The folder it worked in, if it is recorded there. */
  readonly folder?: string | undefined;
}

async function findTasks(
  { places, list, now }: SessionSearch,
  program: 'cline' | 'roo',
  extension: string,
): Promise<void> {
  const root = places.vsCode.storageOf(extension);
  const items = async (...place: readonly string[]): Promise<ClineItem[]> => {
    const { files } = await places.list(root, ...place.slice(0, -1));
    const file = files.find(({ name }) => name === place.at(-1));
    // The title of a task can also be read from the task.
    return file ? textOf(file).then(clineItems, () => []) : [];
  };
  const listed = new Map((await items('state', 'taskHistory.json')).map((item) => [item.id, item]));
  const { folders } = await places.list(root, 'tasks');
  const tasks: TaskFiles[] = [];
  // Their names are times, or increase with them.
  for (const id of folders.toSorted().slice(-MAX_SESSIONS)) {
    const { files } = await places.list(root, 'tasks', id);
    const named = (name: string): SourceFile | undefined => files.find((file) => file.name === name);
    const history = named('api_conversation_history.json');
    if (!history) continue;
    const own = named('history_item.json') ? await items('tasks', id, 'history_item.json') : [];
    const { title, folder } = own[0] ?? listed.get(id) ?? {};
    tasks.push({ program, id, title, folder, history, metadata: named('task_metadata.json') });
  }
  // A task whose folder is unknown may belong here.
  const isWanted = (folder: string | undefined): boolean =>
    folder === undefined || isOfWorkspace(places, folder);
  await addCline(list, tasks, now, isWanted);
}

/** @param isWanted whether to include a task from a folder; undefined: the folder is unknown */
export async function addCline(
  list: BatchList,
  tasks: readonly TaskFiles[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
): Promise<void> {
  for (const { program, id, title, history, metadata: about, folder } of tasks) {
    await list.add(`${program} ${id}`, async () => {
      if (!isWanted(folder ?? clineFolder(await startOf(history, 200_000)))) return undefined;
      return oneChat(async () => {
        const messages = listOf(tryParseJson(await textOf(history)));
        const metadata = about && (await textOf(about));
        return clineChat({ program, title, talks: [{ id, messages }], metadata }, now);
      });
    });
  }
}

/** A session of version 3: its files, and what is known of it. */
interface SessionFiles {
  readonly id: string;
  readonly history: SourceFile;
  readonly files: readonly SourceFile[];
  readonly title: string | undefined;
}

/**
 * Those of version 3, which its command line and its editors share: a folder for each, with its messages. Sessions forked
 * from each other, which share messages, become one chat.
 */
async function findClineSessions({ places, list, now }: SessionSearch): Promise<void> {
  const root = places.userFolder(
    { variable: 'CLINE_DATA_DIR', base: 'home', below: ['.cline', 'data'] },
    'sessions',
  );
  const { folders } = await places.list(root);
  const groups = new SessionGroups<SessionFiles>();
  // Their names begin with times.
  for (const id of folders.toSorted().slice(-MAX_SESSIONS)) {
    await list.add(`cline ${id}`, async () => {
      const { files } = await places.list(root, id);
      const history = files.find(({ name }) => name === `${id}.messages.json`);
      const manifest = clineManifest.safeParse(await valueIn(files, `${id}.json`)).data;
      if (!history || !isOfWorkspace(places, manifest?.cwd)) return undefined;
      const { title, fork } = manifest?.metadata ?? {};
      groups.add({ id, history, files, title }, [id, ...(fork ? [fork.forkedFromSessionId] : [])]);
      return undefined;
    });
  }
  for (const group of groups.all())
    await list.add(`cline ${group[0]?.id ?? ''}`, () => oneChat(() => sessionsChat(group, now)));
}

async function sessionsChat(sessions: readonly SessionFiles[], now: number): Promise<ForeignChat> {
  const talks: ClineTalk[] = [];
  const agents: (readonly unknown[])[] = [];
  for (const { id, history, files } of sessions) {
    const session = clineSession.safeParse(tryParseJson(await textOf(history))).data;
    if (!session) throw new ImportError(defineMessage('it is no list of messages'));
    const compaction = clineCompaction.safeParse(await valueIn(files, `${id}.compaction.json`)).data;
    talks.push({ id, messages: session.messages, compaction });
    for (const file of files.filter(({ name }) => /^agent_.*\.messages\.json$/u.test(name)))
      agents.push(clineSession.safeParse(tryParseJson(await textOf(file))).data?.messages ?? []);
  }
  return clineChat(
    { program: 'cline', title: sessions[0]?.title?.replaceAll(PICTURE_PLACE, ''), talks, agents },
    now,
  );
}

async function valueIn(files: readonly SourceFile[], name: string): Promise<unknown> {
  const file = files.find((each) => each.name === name);
  return file && tryParseJson(await textOf(file));
}

/** The folder a task worked in, as sent to the model. */
function clineFolder(history: string): string | undefined {
  return /Current (?:Working|Workspace) Directory \(([^)\\\n"]{1,500})\)/u.exec(
    history.slice(0, 200_000),
  )?.[1];
}

async function clineChat(task: ClineTask, now: number): Promise<ForeignChat> {
  const reading = new ClineReader(task, now);
  for (const talk of task.talks) await reading.readTalk(talk);
  const { title, end } = reading;
  for (const agent of task.agents ?? []) await reading.readAgent(agent);
  const { report, builder } = reading;
  reading.calls.reportOpen(report);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(builder.build(title, end, now), blobs, report);
  const ids = task.talks.map(({ id }) => id);
  return { source: { program: task.program, ids }, chat, blobs, report };
}

class ClineReader {
  readonly report = new ImportReport();
  readonly builder: ChatBuilder;
  readonly calls = new ToolCalls();
  title: string | undefined;
  /** The last message of the session in which something was said last. */
  end: string | null = null;
  private endedAt = -Infinity;
  /** When the last message that was read was said. */
  private saidAt = -Infinity;
  private readonly models: readonly { readonly ts: number; readonly model_id: string }[];
  /** Of the last answer: what a tool returned is in a message of the user, which names none. */
  private lastModel: string | undefined;
  /** Where each task was given to an agent. */
  private readonly tasks = new Map<string, string | null>();
  /** For each message that was read: the last one here. */
  private readonly ends = new Map<string, string | null>();

  constructor(
    private readonly task: ClineTask,
    private readonly now: number,
  ) {
    this.builder = new ChatBuilder(now);
    this.title = task.title;
    this.models = usedModels.safeParse(tryParseJson(task.metadata ?? '')).data?.model_usage ?? [];
  }

  async readTalk({ messages, compaction }: ClineTalk): Promise<void> {
    this.saidAt = -Infinity;
    const end = await this.read(messages, null, compaction);
    if (this.saidAt < this.endedAt) return;
    [this.end, this.endedAt] = [end, this.saidAt];
  }

  async readAgent(messages: readonly unknown[]): Promise<void> {
    const first = message.safeParse(messages[0]).data?.content;
    const [block] = typeof first === 'object' ? first : [];
    const asked = typeof first === 'string' ? first : block?.type === 'text' ? block.text : '';
    const start = this.tasks.get(asked) ?? null;
    const end = await this.read(messages, start);
    if (end !== null && end !== start) this.builder.nameBranch(end, 'agent');
  }

  /** @returns the last message */
  private async read(
    messages: readonly unknown[],
    start: string | null,
    compaction?: ClineCompaction,
  ): Promise<string | null> {
    let [key, parentId] = ['', start];
    for (const [at, value] of messages.entries()) {
      const read = isTooDeep(value, 200) ? undefined : message.safeParse(value).data;
      if (read) {
        this.saidAt = this.timeOf(read);
        key = read.id ?? (await chainKey(key, [read.role, read.content]));
        const known = this.ends.get(key);
        parentId = known === undefined ? this.message(read, key, parentId) : known;
        this.ends.set(key, parentId);
      } else this.report.add(defineMessage('Messages of an unknown kind'));
      if (compaction?.count === at + 1) parentId = this.fold(compaction, key, parentId);
    }
    return parentId;
  }

  private fold({ text, at, keptFrom }: ClineCompaction, key: string, above: string | null): string {
    return this.builder.fold({
      key: `${key}:summary`,
      parentId: above,
      text,
      createdAt: at,
      keptFrom: keptFrom === undefined ? undefined : this.ends.get(keptFrom),
    });
  }

  private message(read: z.infer<typeof message>, key: string, above: string | null): string | null {
    const { calls, report, builder, models } = this;
    const { role, content, attached, modelInfo } = read;
    const createdAt = this.timeOf(read);
    report.add(defineMessage('Attachments'), attached);
    const all = readContent(content, calls, report);
    const spoken =
      role === 'user' ? withoutPlaces(withoutNotes(all.spoken, report).map(withoutTask)) : all.spoken;
    const first = spoken.find(({ type }) => type === 'text');
    if (role === 'user' && first?.type === 'text' && 'text' in first) this.title ??= titleOf(first.text);
    const own = modelInfo ?? models.findLast((each) => each.ts <= createdAt)?.model_id;
    const model = role === 'user' ? (own ?? this.lastModel) : own;
    this.lastModel = model;
    const parentId = addTalk(builder, { ...all, spoken, key, parentId: above, role, createdAt, model });
    for (const each of typeof content === 'string' ? [] : content) {
      const given = each.type === 'tool_use' ? agentInput.safeParse(each.input).data : undefined;
      if (given) this.tasks.set(given.task, parentId);
    }
    return parentId;
  }

  private timeOf({ ts }: z.infer<typeof message>): number {
    const time = ts ?? Number.parseInt(this.task.talks[0]?.id ?? '', 10);
    return Number.isFinite(time) ? time : this.now;
  }
}

const agentInput = z.object({ task: z.string() });

/** @throws ImportError */
function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ImportError(defineMessage('it is no list of messages'));
  return value;
}

function withoutTask(part: UIMessagePart): UIMessagePart {
  if (part.type !== 'text' || !('text' in part)) return part;
  const text = part.text.trim();
  const inside = /^<(task|feedback|user_message|user_input)(?: mode="\w+")?>([^]*)<\/\1>$/u
    .exec(text)?.[2]
    ?.trim();
  return inside === undefined || inside === '' ? part : { type: 'text', text: inside };
}

/** What the program writes into a question where a picture was put. */
const PICTURE_PLACE = /\s*\[image: [^\]\n]{1,500}\]/gu;

function withoutPlaces(parts: readonly UIMessagePart[]): UIMessagePart[] {
  if (!parts.some(({ type }) => type === 'file')) return [...parts];
  return parts.map((part) =>
    part.type === 'text' && 'text' in part
      ? { ...part, text: part.text.replaceAll(PICTURE_PLACE, '').trim() }
      : part,
  );
}
