import type { AnswerMetadata } from '../agent/run/answerMetadata.ts';
import {
  activeCheckpoints,
  CHECKPOINT_TOOL,
  REWIND_TOOL,
  type CheckpointDetails,
} from '../agent/checkpoints/agentCheckpoint.ts';
import { DEMO_MODEL_ID } from '../models/demo/demoModel.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import { assistant, user } from '../engine/fragments/index.ts';
import type { ContextStore } from '../engine/store.ts';
import type { ToolPart, UIMessage, UIMessagePart } from '../engine/uiMessage.ts';
import { applyRewind } from './agentBranches.ts';
import type { SampleTexts } from './sampleTexts.ts';

/** The metadata member that identifies a sample chat. */
export const SAMPLE = 'sample';

export async function findSampleChat(
  store: Pick<ContextStore, 'listChats'>,
  userId: string,
): Promise<string | undefined> {
  const [sample] = await store.listChats({ userId, metadata: { [SAMPLE]: true }, limit: 1 });
  return sample?.id;
}

/**
 * Makes two branches from one checkpoint, a side question, and an exploration by the agent with its report, through the
 * engine like any conversation.
 * @returns its id; when making it fails, no visible chat remains
 */
export async function makeSampleChat(
  store: ContextStore,
  userId: string,
  texts: SampleTexts,
): Promise<string> {
  const chatId = crypto.randomUUID();
  const engine = new ContextEngine({
    store,
    chatId,
    userId,
    metadata: { [SAMPLE]: true },
    branchNames: 'flat',
  });
  try {
    await new SampleWriter(store, userId, engine, texts).write();
    return chatId;
  } catch (error) {
    await store.deleteChat(chatId);
    throw error;
  } finally {
    await engine.close();
  }
}

class SampleWriter {
  constructor(
    private readonly store: ContextStore,
    private readonly userId: string,
    private readonly engine: ContextEngine,
    private readonly texts: SampleTexts,
  ) {}

  async write(): Promise<void> {
    const { engine, texts } = this;
    await engine.updateChat({ title: texts.title });
    await this.begin();
    await this.webPage();
    await this.byTheWay();
    await engine.restore(texts.checkpoint);
    await this.terminal();
    await this.explore();
    await engine.switchBranch('main');
  }

  private async begin(): Promise<void> {
    const { engine, texts } = this;
    engine.state.set('project', 'habit tracker');
    const { firstAnswer, whereItRuns, whereDataLives, howDaysCount, tryBoth } = texts;
    const choices = [whereItRuns, whereDataLives, howDaysCount].map((line, at) => `${at + 1}. ${line}`);
    await this.turn(texts.firstQuestion, firstAnswer, choices.join('\n'), tryBoth);
    await engine.checkpoint(texts.checkpoint);
  }

  private async webPage(): Promise<void> {
    const { engine, texts } = this;
    engine.state.set('runs as', 'web page');
    await this.plan(texts.whereItRuns, texts.webReason);
    const data =
      'interface Habit {\n  name: string;\n  /** ISO dates, oldest first. */\n  days: string[];\n}';
    await this.turn(texts.webQuestion, texts.webAnswer, code('ts', data), texts.webReason);
    await this.plan(texts.whereItRuns, texts.webReason, texts.yearAnswer);
    const table = [
      `| ${texts.part} | ${texts.count} |`,
      '| :-- | --: |',
      `| ${texts.columns} | 53 |`,
      `| ${texts.rows} | 7 |`,
    ].join('\n');
    await this.turn(texts.yearQuestion, texts.yearAnswer, table, texts.yearTip);
  }

  private async byTheWay(): Promise<void> {
    const { store, engine, texts } = this;
    const { name: branch } = await engine.btw();
    const side = new ContextEngine({ store, chatId: engine.chatId, userId: this.userId, branch });
    try {
      side.set(user(texts.asideQuestion), this.answer({ type: 'text', text: texts.asideAnswer }));
      await side.save();
    } finally {
      await side.close();
    }
  }

  private async terminal(): Promise<void> {
    const { engine, texts } = this;
    engine.state.set('runs as', 'command line');
    await this.plan(texts.whereItRuns, texts.terminalReason);
    const commands = 'habit done reading\nhabit undo reading\nhabit list';
    await this.turn(texts.terminalQuestion, texts.terminalAnswer, code('sh', commands), texts.terminalReason);
  }

  /** As a run does. */
  private async explore(): Promise<void> {
    const { store, engine, texts } = this;
    const question = user(texts.formatQuestion);
    const details: CheckpointDetails = { goal: texts.goal, startedAt: new Date().toISOString() };
    const marked = toolCall(CHECKPOINT_TOOL, { goal: texts.goal }, { text: texts.goal, details });
    engine.set(question, this.answer({ type: 'text', text: texts.exploring }, marked));
    await engine.save();
    const [checkpoint] = activeCheckpoints((await engine.resolve()).messages);
    if (!checkpoint) throw new Error('The sample has no checkpoint of the agent.');
    const rewound = toolCall(
      REWIND_TOOL,
      { report: texts.report },
      { text: texts.report, details: { report: texts.report, rewound: true } },
    );
    engine.set(
      this.answer({ type: 'text', text: texts.exploredJson }),
      this.answer({ type: 'text', text: texts.exploredLines }, rewound),
    );
    await engine.save();
    const explored = await store.getBranch(engine.chatId, engine.branch, { userId: this.userId });
    if (!explored) throw new Error('The branch that was explored is gone.');
    const rewind = {
      chatId: engine.chatId,
      explored,
      siblings: [],
      now: Date.now(),
      rewind: { checkpoint, report: texts.report },
      questionId: question.id ?? '',
    };
    const { branch } = await applyRewind(store, rewind, { userId: this.userId });
    await engine.switchBranch(branch.name);
    engine.set(
      this.answer({
        type: 'text',
        text: [
          texts.formatAnswer,
          code('text', '2026-01-30 reading\n2026-01-31 reading'),
          texts.formatReason,
        ].join('\n\n'),
      }),
    );
    await engine.save();
  }

  private async turn(question: string, ...answer: readonly string[]): Promise<void> {
    this.engine.set(user(question), this.answer({ type: 'text', text: answer.join('\n\n') }));
    await this.engine.save();
  }

  /** On each branch, the plan holds the decision made there. */
  private async plan(...lines: readonly string[]): Promise<void> {
    const text = [`# ${this.texts.title}`, ...lines.map((line) => `- ${line}`)].join('\n');
    await this.engine.artifacts.save('plan.md', new TextEncoder().encode(`${text}\n`), {
      mediaType: 'text/markdown',
    });
  }

  /** Labeled as a demo: no model was asked. */
  private answer(...parts: UIMessagePart[]): ReturnType<typeof assistant> {
    const now = Date.now();
    const metadata: AnswerMetadata = {
      modelId: DEMO_MODEL_ID,
      modelLabel: this.texts.author,
      isDemo: true,
      status: 'complete',
      startedAt: now,
      finishedAt: now,
    };
    return assistant({ role: 'assistant', metadata, parts } satisfies Omit<UIMessage, 'id'>);
  }
}

function toolCall(name: string, input: unknown, output: unknown): ToolPart {
  return { type: `tool-${name}`, toolCallId: crypto.randomUUID(), state: 'output-available', input, output };
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
