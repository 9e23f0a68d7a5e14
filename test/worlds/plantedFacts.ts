import type { FileChange, MessageEffects } from '../../src/engine/effects.ts';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { BRANCH_SUMMARY, branchSummaryMessage } from '../../src/engine/branchSummary.ts';
import { keptMarks, withKeptMark } from '../../src/engine/keptMessages.ts';
import { storable } from '../../src/engine/storable.ts';
import { textMessage, type UIMessage, type UIMessagePart } from '../../src/engine/uiMessage.ts';
import type { RecordedRequest } from '../fixtures/openaiServer.ts';
import { CHAT, USER } from './agentWorld.ts';
import { CompactionWorld, isSummaryRequest, saying, words } from './compactionWorld.ts';
import { receivedMessages } from './toolCalls.ts';

/** What a conversation must not forget, by kind. */
export const plantedKinds = [
  'rules',
  'requests',
  'decisions',
  'todos',
  'files',
  'checkpoints and branches',
  'failed attempts',
  'messages kept always',
] as const;
export type PlantedKind = (typeof plantedKinds)[number];

interface Planted {
  readonly kind: PlantedKind;
  /** What has to be in the request. */
  readonly needle: string;
}

export interface PlantedOutcome {
  readonly kind: PlantedKind;
  readonly planted: number;
  readonly found: number;
}

export interface PlantedRun {
  readonly outcomes: readonly PlantedOutcome[];
  readonly summaryRequests: readonly RecordedRequest[];
  /** The last request for an answer, as text. */
  readonly sent: string;
}

const PER_KIND = 5;
const ROUNDS = 3;

const WINDOW = 24_000;

/**
 * Plants five facts of each kind in a conversation that is compacted three times, and asks once more.
 * @param forgets whether the summarizer writes nothing of what it reads, or everything that was planted
 */
export async function runPlanted({
  forgets,
  fillerTokens = 250,
}: {
  readonly forgets: boolean;
  readonly fillerTokens?: number;
}): Promise<PlantedRun> {
  const planted: Planted[] = [];
  await using world = await CompactionWorld.make({
    window: WINDOW,
    reply: (request) => {
      if (!isSummaryRequest(request)) return undefined;
      const read = receivedMessages(request).join('\n');
      const kept = planted.filter(({ needle }) => read.includes(needle)).map(({ needle }) => `- ${needle}`);
      return saying(forgets ? 'They went on with the work.' : kept.join('\n'));
    },
  });
  await world.world.startChat();
  const planter = new Planter(world, planted);
  await planter.say(textMessage('', 'user', 'The parser of our little language is slow.'));
  for (let number = 0; number < PER_KIND * 2; number += 1) {
    await planter.plant(number);
    await planter.say(textMessage('', 'user', `Part ${number}: ${words(fillerTokens, 'parser')}`));
    await planter.say(textMessage('', 'assistant', `Seen: ${words(fillerTokens, 'token')}`));
    const isEndOfRound = [3, 6, 9].includes(number);
    if (isEndOfRound) await (await world.start({ compacts: { thenAnswers: false } })).done;
  }
  await world.answered('And then?');
  const sent = receivedMessages(world.asked.at(-1) ?? missing()).join('\n');
  const outcomes = plantedKinds.map((kind) => {
    const all = planted.filter((each) => each.kind === kind);
    return { kind, planted: all.length, found: all.filter(({ needle }) => sent.includes(needle)).length };
  });
  if (world.summarized.length !== ROUNDS) throw new Error(`${world.summarized.length} compactions`);
  return { outcomes, summaryRequests: world.summarized, sent };
}

function missing(): never {
  throw new Error('Nothing was asked.');
}

/** Writes messages as the program does: with tool calls, and what they changed. */
class Planter {
  private ids = 0;

  constructor(
    private readonly world: CompactionWorld,
    private readonly planted: Planted[],
  ) {}

  /** Half of the kinds each time, so that each round has some of each. */
  async plant(number: number): Promise<void> {
    const of = Math.floor(number / 2);
    const kinds = plantedKinds.filter((_, index) => index % 2 === number % 2);
    for (const kind of kinds) await this.plantOne(kind, of);
  }

  private async plantOne(kind: PlantedKind, of: number): Promise<void> {
    const needle = await this.write(kind, of);
    this.planted.push({ kind, needle });
  }

  private async write(kind: PlantedKind, of: number): Promise<string> {
    const tag = `${kind.split(' ')[0] ?? ''}-${of}`;
    switch (kind) {
      case 'rules': {
        const rules = [
          'Never change the files below vendor/grammar.',
          '所有错误信息必须用中文写。',
          'Verwende in Tests immer die Uhr aus testClock.ts.',
          'From now on, name branches after the ticket, as in LANG-204.',
          'Every public function must have a doc comment.',
        ];
        const rule = rules[of] ?? tag;
        await this.say(textMessage('', 'user', `The last build looked fine. ${rule} How far are you?`));
        return rule;
      }
      case 'requests': {
        const request = `Please add a benchmark for rule ${tag} to bench/rules.ts.`;
        await this.say(textMessage('', 'user', `${request}\nThank you for the last one.`));
        return request;
      }
      case 'decisions': {
        const decision = `We keep cache ${tag} in memory instead of on disk, because a build lives for a minute only.`;
        await this.say(
          textMessage('', 'assistant', `I measured both.\n\n${decision}\n\nNext I look at the lexer.`),
        );
        return decision;
      }
      case 'todos': {
        const title = `Measure the lexer with ${tag}`;
        const titles = [
          ...this.planted.filter((each) => each.kind === kind).map((each) => each.needle),
          title,
        ];
        const todos = titles.map((each) => ({ title: each, status: 'pending' as const }));
        await this.call('write_todos', { todos }, { text: '0 done.' }, { state: { set: { todos } } });
        return title;
      }
      case 'files': {
        const path = `src/parser/${tag}.ts`;
        if (of === 0) {
          await this.call('read_file', { path }, { text: 'export {};' });
          return path;
        }
        const change: FileChange = {
          folder: 'file:///work',
          path,
          before: of % 2 === 0 ? null : { hash: 'a'.repeat(64), size: 1 },
          after: { hash: 'b'.repeat(64), size: 2 },
          at: of,
        };
        await this.call('edit_file', { path, edits: [] }, { text: `Changed ${path}.` }, { files: [change] });
        return `${path} (${of % 2 === 0 ? 'created' : 'changed'})`;
      }
      case 'checkpoints and branches': {
        if (of % 2 === 0) {
          const id = await this.say(textMessage('', 'assistant', 'The lexer is done.'));
          const engine = new ContextEngine({ store: this.world.world.store, chatId: CHAT, userId: USER });
          await engine.checkpoint(`before ${tag}`, { messageId: id });
          await engine.close();
          return `before ${tag}`;
        }
        const report = {
          report: `Inlining ${tag} makes it slower.`,
          goal: `Try inlining ${tag}`,
          checkpoint: `call-${tag}`,
          startedAt: '2026-11-01T00:00:00Z',
          rewoundAt: '2026-11-01T01:00:00Z',
          abandonedHead: null,
          exploredBranch: `explored-${tag}`,
        };
        await this.say(branchSummaryMessage('', report, []), undefined, BRANCH_SUMMARY);
        return `explored-${tag}`;
      }
      case 'failed attempts': {
        if (of % 2 === 0) {
          const command = `npm run build -- --target ${tag}`;
          const text = `Exit code 2 after 1.0 s.\n\nerror TS2345 in ${tag}`;
          await this.call('run_command', { command }, { text, details: { id: tag, exitCode: 2 } });
          return command;
        }
        const path = `src/lexer/${tag}.ts`;
        await this.refused('edit_file', { path }, `${path} does not hold the text “${tag}”.`);
        return `${path} does not hold`;
      }
      case 'messages kept always': {
        const text = `The grammar of ${tag} is LL(${of + 2}), as in the thesis on page ${of + 40}.`;
        const id = await this.say(textMessage('', 'user', text));
        await this.world.world.store.updateChat(CHAT, (chat) => ({
          metadata: withKeptMark(keptMarks(chat), id, true),
        }));
        return text;
      }
    }
  }

  async say(message: UIMessage, effects?: MessageEffects, name: string = message.role): Promise<string> {
    const { store } = this.world.world;
    this.ids += 1;
    const id = `planted-${this.ids}`;
    const branch = await store.getBranch(CHAT, 'main');
    await store.saveMessages({
      chatId: CHAT,
      branch: 'main',
      expectedHead: branch?.headMessageId ?? null,
      onHeadConflict: 'error',
      newBranchAt: undefined,
      activate: false,
      messages: [
        {
          id,
          name,
          type: 'message',
          data: storable({ ...message, id }, 'message'),
          invocationId: undefined,
          replaces: undefined,
          effects,
        },
      ],
    });
    return id;
  }

  private async call(name: string, input: unknown, output: unknown, effects?: MessageEffects): Promise<void> {
    const toolCallId = `call-${this.ids}`;
    await this.answer(
      { type: `tool-${name}`, toolCallId, state: 'output-available', input, output },
      effects,
    );
  }

  private async refused(name: string, input: unknown, errorText: string): Promise<void> {
    const toolCallId = `call-${this.ids}`;
    await this.answer({ type: `tool-${name}`, toolCallId, state: 'output-error', input, errorText });
  }

  private async answer(part: UIMessagePart, effects?: MessageEffects): Promise<void> {
    await this.say({ id: '', role: 'assistant', parts: [part] }, effects);
  }
}
