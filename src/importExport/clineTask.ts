import { z } from 'zod';
import { tryParseJson } from '../base/tryParseJson.ts';
import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { addTalk, withoutNotes, anthropicContent, readContent } from './anthropicBlocks.ts';
import { chainKey, ChatBuilder, titleOf, ToolCalls } from './chatBuilder.ts';
import { textOf, type ValueFormat } from './importBatch.ts';
import { ImportReport } from './importReport.ts';
import type { ForeignChat } from './importSource.ts';
import { keepPictures } from './keptPictures.ts';
import { isTooDeep } from './recordLines.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';

// Tasks of Cline and of Roo Code: a list of messages in the form of Anthropic's API.

const message = z.object({
  role: z.enum(['user', 'assistant']),
  content: anthropicContent,
  ts: z.number().optional().catch(undefined),
  modelInfo: z.object({ modelId: z.string() }).optional().catch(undefined),
});

const metadata = z.object({
  model_usage: z
    .array(z.object({ ts: z.number().catch(0), model_id: z.string() }))
    .optional()
    .catch(undefined),
});

export interface ClineTask {
  readonly program: 'cline' | 'roo';
  readonly id: string;
  readonly title?: string | undefined;
  /** `api_conversation_history.json`. */
  readonly history: string;
  /** `task_metadata.json`, if there is one. */
  readonly metadata?: string | undefined;
}

/** A task's history: a list of messages. Those of Roo Code look the same. */
export const cline: ValueFormat = {
  program: 'cline',
  detect: (value) => Array.isArray(value) && message.safeParse(value[0]).success,
  read: async (file, now) => {
    const id = /\d{10,}/u.exec(file.name)?.[0] ?? file.name;
    return [await clineChat({ program: 'cline', id, history: await textOf(file) }, now)];
  },
};

/** The folder a task worked in, as sent to the model. */
export function clineFolder(history: string): string | undefined {
  return /Current (?:Working|Workspace) Directory \(([^)\\\n"]{1,500})\)/u.exec(
    history.slice(0, 200_000),
  )?.[1];
}

/** @throws ImportError for a file that is not a list of messages */
export async function clineChat(task: ClineTask, now: number): Promise<ForeignChat> {
  const report = new ImportReport();
  const builder = new ChatBuilder(now);
  const calls = new ToolCalls();
  const models = metadata.safeParse(tryParseJson(task.metadata ?? '')).data?.model_usage ?? [];
  let [key, parentId, title]: [string, string | null, string | undefined] = ['', null, task.title];
  for (const value of messagesOf(task.history)) {
    const read = isTooDeep(value, 200) ? undefined : message.safeParse(value).data;
    if (!read) {
      report.add(defineMessage('Messages of an unknown kind'));
      continue;
    }
    const { role, content, ts = Number(task.id), modelInfo } = read;
    const createdAt = Number.isFinite(ts) ? ts : now;
    key = await chainKey(key, [role, content]);
    const all = readContent(content, calls, report);
    const spoken = role === 'user' ? withoutNotes(all.spoken, report).map(withoutTask) : all.spoken;
    const first = spoken.find(({ type }) => type === 'text');
    if (role === 'user' && first?.type === 'text' && 'text' in first) title ??= titleOf(first.text);
    const model = modelInfo?.modelId ?? models.findLast((each) => each.ts <= createdAt)?.model_id;
    parentId = addTalk(builder, { ...all, spoken, key, parentId, role, createdAt, model });
  }
  calls.reportOpen(report);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(builder.build(title, parentId, now), blobs, report);
  return { source: { program: task.program, ids: [task.id] }, chat, blobs, report };
}

function messagesOf(history: string): unknown[] {
  const value = tryParseJson(history);
  if (!Array.isArray(value)) throw new ImportError(defineMessage('it is no list of messages'));
  return value;
}

function withoutTask(part: UIMessagePart): UIMessagePart {
  if (part.type !== 'text' || !('text' in part)) return part;
  const text = part.text.trim();
  const inside = /^<(task|feedback|user_message)>([^]*)<\/\1>$/u.exec(text)?.[2]?.trim();
  return inside === undefined || inside === '' ? part : { type: 'text', text: inside };
}
