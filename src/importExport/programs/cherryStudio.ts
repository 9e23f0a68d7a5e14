import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { textOf } from '../importBatch.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures, type FindPicture } from '../keptPictures.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import { cherryBlock, partsOfBlocks, type CherryBlock } from './cherryBlocks.ts';

// A backup of Cherry Studio: a ZIP file whose `data.json` has the tables of its database. A topic has messages, a
// message the ids of its blocks; names of topics are among the settings of assistants. Known from the program's own
// sources (`newMessage.ts`, `BackupService`) and from a converter between its backups and another program's.

const message = z.object({
  id: z.string().min(1),
  role: z.enum(['user', 'assistant', 'system']),
  /** The question of an answer: several models may answer one. */
  askId: z.string().optional().catch(undefined),
  /** Of several answers, the one that is shown, and the one that the next question follows. */
  foldSelected: z.boolean().optional().catch(undefined),
  useful: z.boolean().optional().catch(undefined),
  /** `clear`: what comes before it is not sent any more. */
  type: z.string().optional().catch(undefined),
  createdAt: z.string().optional().catch(undefined),
  modelId: z.string().optional().catch(undefined),
  model: z.object({ id: z.string() }).optional().catch(undefined),
  blocks: z.array(z.string()).catch([]),
  /** Of versions before blocks. */
  content: z.string().optional().catch(undefined),
});
type Message = z.infer<typeof message>;

const topic = z.object({ id: z.string().min(1), messages: z.array(z.unknown()) });

const backup = z.object({
  localStorage: z.record(z.string(), z.unknown()).catch({}),
  indexedDB: z.object({
    topics: z.array(z.unknown()),
    message_blocks: z.array(z.unknown()).optional().catch(undefined),
  }),
});

export const cherryStudio: ProgramFormat = {
  program: 'cherry-studio',
  value: {
    detect: (value) =>
      typeof value === 'object' &&
      value !== null &&
      'localStorage' in value &&
      backup.safeParse(value).success,
    read: async (file, now, find) => {
      const read = backup.safeParse(tryParseJson(await textOf(file)));
      if (!read.success) throw ImportError.of(read.error, 'the file');
      const { topics, message_blocks: blocks = [] } = read.data.indexedDB;
      const names = topicNames(read.data.localStorage);
      const known = new Map<string, CherryBlock>();
      for (const each of blocks) {
        const block = cherryBlock.safeParse(each).data;
        if (block) known.set(block.id, block);
      }
      const chats: ForeignChat[] = [];
      let left = 0;
      for (const each of topics) {
        const given = topic.safeParse(each).data;
        if (given) chats.push(await readTopic(given, names.get(given.id), known, now, find));
        else left += 1;
      }
      chats[0]?.report.add(defineMessage('Conversations that cannot be read, or are too large'), left);
      return chats;
    },
  },
};

async function readTopic(
  { id, messages: given }: z.infer<typeof topic>,
  title: string | undefined,
  blocks: ReadonlyMap<string, CherryBlock>,
  now: number,
  find: FindPicture | undefined,
): Promise<ForeignChat> {
  const report = new ImportReport();
  const messages = new Map<string, TreeMessage>();
  const line = new Line(report);
  for (const each of given) {
    const read = message.safeParse(each).data;
    if (!read) report.add(defineMessage('Messages of an unknown kind'));
    else if (read.role === 'system') report.add(defineMessage('Instructions of the other program'));
    else if (read.type === 'clear') report.bookkeeping();
    else if (!messages.has(read.id)) {
      messages.set(read.id, {
        parentId: line.parentOf(read),
        role: read.role,
        parts: partsOfBlocks(read.blocks, blocks, read.content, report),
        createdAt: read.createdAt === undefined ? undefined : Date.parse(read.createdAt),
        model: read.model?.id ?? read.modelId,
      });
    }
  }
  const facts = { title, currentId: line.end(), now };
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(chatOfMessages(messages, facts, report), blobs, report, find);
  return { source: { program: 'cherry-studio', ids: [id] }, chat, blobs, report };
}

/** Messages in the order in which they were said, where several answers to one question stand next to each other. */
class Line {
  private question: string | null = null;
  /** The answers to the question at the end. */
  private answers: Message[] = [];

  constructor(private readonly report: ImportReport) {}

  /** Notes the message as the next one. */
  parentOf(next: Message): string | null {
    const isOther = next.role === 'assistant' && next.askId === this.question && this.answers.length > 0;
    const parentId = isOther ? this.question : (this.end() ?? this.question);
    if (isOther) this.answers.push(next);
    else if (next.role === 'assistant' && next.askId === this.question) this.answers = [next];
    else {
      // What follows several answers, of which none is marked, may have followed any.
      if (this.answers.length > 1 && !this.answers.some(isChosen))
        this.report.add(defineMessage('Which of several answers was replied to: the last is taken'));
      [this.question, this.answers] = [next.id, []];
    }
    return parentId;
  }

  /** The last message of the branch that is shown. */
  end(): string | undefined {
    return (this.answers.findLast(isChosen) ?? this.answers.at(-1))?.id ?? this.question ?? undefined;
  }
}

function isChosen({ foldSelected, useful }: Message): boolean {
  return foldSelected === true || useful === true;
}

const assistants = z.object({
  assistants: z
    .array(
      z
        .object({
          topics: z
            .array(
              z
                .object({ id: z.string(), name: z.string() })
                .transform((each) => [each])
                .catch([]),
            )
            .catch([]),
        })
        .catch({ topics: [] }),
    )
    .catch([]),
});

/** The settings are JSON, with JSON in a string for each part. */
function topicNames(storage: Readonly<Record<string, unknown>>): Map<string, string> {
  const settings = parsedIn(storage['persist:cherry-studio']);
  const part = typeof settings === 'object' && settings !== null && 'assistants' in settings;
  const read = assistants.safeParse(part ? parsedIn(settings.assistants) : undefined).data;
  const topics = (read?.assistants ?? []).flatMap((each) => each.topics.flat());
  return new Map(topics.map(({ id, name }) => [id, name]));
}

function parsedIn(text: unknown): unknown {
  return typeof text === 'string' ? tryParseJson(text) : undefined;
}
