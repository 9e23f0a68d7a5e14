import type { ChatModel } from '../../src/models/chatModel.ts';
import type { CompactionSettings } from '../../src/agent/compaction/compactionOptions.ts';
import type { Run, StartOptions } from '../../src/agent/run/runs.ts';
import { pathSummaryOf } from '../../src/engine/pathSummary.ts';
import { textOf, type UIMessage } from '../../src/engine/uiMessage.ts';
import {
  callTool,
  finish,
  lastQuestion,
  say,
  type RecordedRequest,
  type Reply,
  type Step,
} from '../fixtures/openaiServer.ts';
import { CHAT, newWorld, type World, type WorldOptions } from './agentWorld.ts';
import { echoTool } from './toolCalls.ts';

/** What a request for a summary begins with. */
export const isSummaryRequest = (request: RecordedRequest): boolean =>
  lastQuestion(request).startsWith('Summarize this part');

/** A text of about so many tokens. */
export const words = (count: number, word = 'word'): string => `${word} `.repeat(count).trim();

/** An answer whose server counts nothing. */
export const saying = (text: string): Step[] => [say(text), finish()];

export const callsEcho = (number: number): Step[] => [
  callTool(`call-${number}`, 'echo', JSON.stringify({ text: `step ${number}` })),
  finish('tool_calls'),
];

export interface CompactionWorldOptions extends Omit<WorldOptions, 'script' | 'compaction'> {
  /** What the model reads at once, in tokens; absent: nobody knows. */
  readonly window?: number | undefined;
  readonly settings?: Partial<CompactionSettings>;
  /** Tokens of each result that the tool gives. */
  readonly resultTokens?: number;
  /** How many steps with a call a question takes before its answer. */
  readonly steps?: number;
  /** What is answered to a request; undefined: as the world does by default. */
  readonly reply?: (request: RecordedRequest, index: number) => Reply | undefined;
  readonly summary?: string;
}

/** A model with a known window that calls a tool step after step, and writes summaries when it is asked for them. */
export class CompactionWorld implements AsyncDisposable {
  private constructor(
    readonly world: World,
    private readonly options: CompactionWorldOptions,
  ) {}

  static async make(options: CompactionWorldOptions = {}): Promise<CompactionWorld> {
    const {
      settings,
      reply,
      summary = 'The gist.',
      steps = 0,
      resultTokens = 100,
      window: _window,
      ...rest
    } = options;
    let calls = 0;
    let taken = 0;
    const world = await newWorld({
      tools: () => [{ ...echoTool, call: () => Promise.resolve({ text: words(resultTokens) }) }],
      ...rest,
      compaction: {
        settings: () => ({ enabled: true, threshold: 0.85, ...settings }),
        smallFor: (model) => Promise.resolve(model),
      },
      script: (request, index) => {
        const own = reply?.(request, index);
        if (own) return own;
        if (isSummaryRequest(request)) return saying(summary);
        if (taken === steps) {
          taken = 0;
          return saying('Done.');
        }
        taken += 1;
        calls += 1;
        return callsEcho(calls);
      },
    });
    return new CompactionWorld(world, options);
  }

  /** The requests for an answer, and those for a summary. */
  get asked(): RecordedRequest[] {
    return this.world.server.requests.filter((request) => !isSummaryRequest(request));
  }

  get summarized(): RecordedRequest[] {
    return this.world.server.requests.filter(isSummaryRequest);
  }

  async model(window = this.options.window): Promise<ChatModel> {
    const model = await this.world.model();
    return window === undefined ? model : { ...model, contextWindow: window };
  }

  async start(options: Partial<StartOptions> = {}): Promise<Run> {
    await this.world.startChat();
    return this.world.runs.start({ chatId: CHAT, branch: 'main', model: await this.model(), ...options });
  }

  async answered(question: string, options: Partial<StartOptions> = {}): Promise<Run> {
    const run = await this.start({ question, ...options });
    await run.done;
    return run;
  }

  path(branch?: string): Promise<UIMessage[]> {
    return this.world.path(branch);
  }

  /** The path in short: whose each message is, the steps of an answer, and what a summary stands for. */
  async outline(branch?: string): Promise<string[]> {
    return (await this.path(branch)).map((message) => {
      const summary = pathSummaryOf(message);
      if (summary) return `summary of ${summary.source.count}`;
      const calls = message.parts.filter(({ type }) => type === 'tool-echo').length;
      const saying = textOf(message);
      return `${message.role}: ${[...(calls > 0 ? [`${calls} calls`] : []), ...(saying === '' ? [] : [saying.slice(0, 40)])].join(', ')}`;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}
