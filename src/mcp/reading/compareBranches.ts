import { z } from 'zod';
import { compareHeads, ownPath, type Difference, type FileDifference } from '../../engine/comparison.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { defineReadingTool, type Reading } from './readingTool.ts';
import { counted, oneLine, quoted } from './shownText.ts';
import { excerpt, isSpoken, visibleBranch, visibleChat } from './visible.ts';

const EXCERPT = 240;
const VALUE = 300;

/** How many messages of a side, and how many differences, are listed. */
const MAX_MESSAGES = 20;
const MAX_NAMES = 100;

const side = z.object({
  branch: z.string(),
  messages: z.int().describe('how many; read_path has those after the first'),
  first: z.array(z.object({ message: z.string(), role: z.string(), excerpt: z.string() })),
});
const difference = z.object({ name: z.string(), left: z.string().optional(), right: z.string().optional() });

export const compareBranches = defineReadingTool({
  name: 'compare_branches',
  title: 'Compare Branches',
  description:
    'Where two branches of a chat part, what was said on each since, and which files, state and artifacts differ.',
  input: z.object({
    chat: z.string().max(500).describe('chat id'),
    left: z.string().max(1_000).describe('branch'),
    right: z.string().max(1_000).describe('branch'),
  }),
  output: z.object({
    forkMessage: z.string().optional(),
    forkExcerpt: z.string().optional(),
    left: side,
    right: side,
    files: z.array(difference),
    state: z.array(difference),
    artifacts: z.array(difference),
  }),
  run: async (reading, { chat, left: leftName, right: rightName }) => {
    await visibleChat(reading, chat);
    const left = await visibleBranch(reading, chat, leftName);
    const right = await visibleBranch(reading, chat, rightName);
    const { store } = reading;
    const compared = await compareHeads(store, chat, left.headMessageId, right.headMessageId);
    const { ancestor } = compared;
    const data = {
      ...(ancestor ? { forkMessage: ancestor.id, forkExcerpt: excerpt(ancestor, EXCERPT) } : {}),
      left: await sideOf(reading, left, ancestor?.id),
      right: await sideOf(reading, right, ancestor?.id),
      files: compared.files.slice(0, MAX_NAMES).map(fileRow),
      state: compared.state.slice(0, MAX_NAMES).map(stateRow),
      artifacts: compared.artifacts
        .slice(0, MAX_NAMES)
        .map((each) => row(each, ({ version }) => `version ${version}`)),
    };
    const where = ancestor
      ? `They part after message ${quoted(ancestor.id)}: ${data.forkExcerpt ?? ''}`
      : 'They have no message in common.';
    const sections = [
      where,
      sideText(data.left),
      sideText(data.right),
      ...differing('Files that differ', data.files),
      ...differing('State that differs', data.state),
      ...differing('Artifacts that differ', data.artifacts),
    ];
    return { text: sections.join('\n\n'), data };
  },
});

type Side = z.infer<typeof side>;
type Row = z.infer<typeof difference>;

async function sideOf(
  { store }: Reading,
  { chatId, name, headMessageId }: BranchData,
  ancestorId: string | undefined,
): Promise<Side> {
  const own = (await ownPath(store, chatId, ancestorId, headMessageId)).filter(isSpoken);
  const first = own.slice(0, MAX_MESSAGES).map((message: MessageData) => ({
    message: message.id,
    role: oneLine(message.name, 40),
    excerpt: excerpt(message, EXCERPT),
  }));
  return { branch: name, messages: own.length, first };
}

function sideText({ branch, messages, first }: Side): string {
  const lines = first.map((each) => `- ${each.role} ${quoted(each.message)}: ${each.excerpt}`);
  const cut = messages > first.length ? ` (the first ${first.length} here; read_path has all)` : '';
  return [`Only on ${quoted(branch)}: ${counted(messages, 'message')}${cut}`, ...lines].join('\n');
}

function differing(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, left, right }) => `- ${quoted(name)}: ${left ?? '(none)'} | ${right ?? '(none)'}`,
  );
  return [`${title} (left | right):\n${lines.join('\n')}`];
}

function row<T>({ name, left, right }: Difference<T>, text: (value: T) => string): Row {
  return {
    name,
    ...(left === undefined ? {} : { left: text(left) }),
    ...(right === undefined ? {} : { right: text(right) }),
  };
}

function stateRow(each: Difference<JsonValue>): Row {
  return row(each, (value) => oneLine(JSON.stringify(value), VALUE));
}

/** The path, and where the file exists; for its content only that it differs. */
function fileRow({ path, left, right }: FileDifference): Row {
  return {
    name: path,
    ...(left === null ? {} : { left: left.hash.slice(0, 12) }),
    ...(right === null ? {} : { right: right.hash.slice(0, 12) }),
  };
}
