import assert from 'node:assert/strict';
import { z } from 'zod';
import { imagePart } from '../../src/models/messages/messageFiles.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { cycleTools } from '../../src/agent/checkpoints/cycleTools.ts';
import type { Run, StartOptions } from '../../src/agent/run/runs.ts';
import { Approvals } from '../../src/agent/tools/approvals.ts';
import { foreignTools, type ForeignTool } from '../../src/agent/tools/foreignTools.ts';
import { defineTool, type AgentTool } from '../../src/agent/tools/tool.ts';
import type { BranchData, MessageData } from '../../src/engine/graph.ts';
import type { UIMessage, UIMessagePart } from '../../src/engine/uiMessage.ts';
import { answer } from '../fixtures/openaiServer.ts';
import type { NewStrictServer } from '../fixtures/strict/strictServers.ts';
import type { StrictReply, StrictServer } from '../fixtures/strict/strictServer.ts';
import { pdf, pixel } from '../fixtures/pdfs.ts';
import { CHAT, newWorld, type World } from './agentWorld.ts';
import { echoTool } from './toolCalls.ts';

/** Schemas as servers in the wild send them. */
const oddSchemas: Readonly<Record<string, object | undefined>> = {
  nothing: undefined,
  empty: {},
  no_type: { properties: { a: { type: 'string' } } },
  union: {
    anyOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'number' } } },
    ],
  },
  union_and_object: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  all_of: {
    allOf: [{ $ref: '#/definitions/a' }],
    definitions: { a: { properties: { x: { type: 'int' } } } },
  },
  no_items: { type: 'object', properties: { list: { type: 'array' }, any: {} } },
  tuple: {
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
  },
  odd_names: {
    type: 'object',
    properties: { 'a b': { type: 'string' }, $filter: { type: 'string' }, ok: true },
  },
  needs_odd_name: { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] },
  recursive: {
    type: 'object',
    properties: { node: { $ref: '#/$defs/node' } },
    required: ['node'],
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
  },
  draft_4: {
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'http://a.test/schema',
    type: 'object',
    properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true }, e: { enum: [1, 'a', ''] } },
    required: ['n', 'gone'],
  },
  draft_3: { type: 'object', properties: { n: { type: ['string', 'null'], required: true } } },
  text: { type: 'string' },
};

/** Tools of an MCP server that nobody checked. */
export const oddTools: readonly ForeignTool[] = Object.entries(oddSchemas).map(([name, inputSchema]) => ({
  name: `odd_${name}`,
  description: name,
  inputSchema,
  invoke: () => Promise.resolve(`${name} answered`),
}));

const bareTool: AgentTool = defineTool({
  name: 'silent',
  description: 'Says nothing.',
  input: z.object({}),
  run: () => ({ text: '' }),
});

/** Never ends unless it is stopped. */
const hangingTool: AgentTool = {
  ...defineTool({ name: 'hang', description: 'Waits.', input: z.object({}), run: () => ({ text: '' }) }),
  call: (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
};

/** Answers with a picture and a PDF, and with one that is damaged. */
const showingTool: AgentTool = defineTool({
  name: 'show',
  description: 'Shows what there is.',
  input: z.object({ text: z.string().default('Here it is.') }),
  run: ({ text }) => ({
    text: text,
    files: [
      { bytes: pixel, mediaType: 'image/png', name: 'shot.png' },
      { bytes: pdf(2), mediaType: 'application/pdf', name: 'paper.pdf' },
      { bytes: pixel.subarray(0, 40), mediaType: 'image/png', name: 'half.png' },
    ],
  }),
});

const askingTool: AgentTool = defineTool({
  name: 'asking',
  description: 'Asks first.',
  input: z.object({}),
  run: async (_input, { approve }) => {
    await approve({ kind: 'asking', family: 'asking' });
    return { text: 'It was allowed.' };
  },
});

export interface SceneOptions {
  readonly maxSteps?: number;
  readonly tools?: readonly AgentTool[];
}

/** A conversation with one provider's strict server, and with those of others where it needs them. */
export class Scene implements AsyncDisposable {
  /** Those a scenario begins with. */
  readonly allTools: readonly AgentTool[] = [echoTool, bareTool, hangingTool, askingTool, showingTool];
  /** What is offered; a scenario may change it. */
  tools = this.allTools;
  private readonly servers: StrictServer[] = [];

  private constructor(
    readonly world: World,
    readonly server: StrictServer,
    readonly approvals: Approvals,
  ) {
    this.servers.push(server);
  }

  static async open(create: NewStrictServer, { maxSteps = 50 }: SceneOptions = {}): Promise<Scene> {
    const server = create();
    await server.listen();
    const approvals = new Approvals({
      // Tools of MCP servers ask each time; here they are allowed.
      has: (kind) => kind.startsWith('tool:odd_'),
      list: () => [],
      add: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    });
    // The scene is there before anything asks for tools.
    const scenes: Scene[] = [];
    const world: World = await newWorld({
      tools: () => scenes[0]?.tools ?? [],
      maxSteps: () => maxSteps,
      approvals,
      compaction: {
        settings: () => ({ enabled: true, threshold: 0.85 }),
        // Its summaries come from elsewhere: here they are of no account.
        smallFor: () => world.model(),
      },
      script: () => answer('What was done so far, in short.'),
    });
    const scene = new Scene(world, server, approvals);
    scenes.push(scene);
    return scene;
  }

  /** Another provider joins in. */
  async join(create: NewStrictServer): Promise<StrictServer> {
    const server = create();
    // There is one of each provider: it knows what it said.
    const known = this.servers.find(({ name }) => name === server.name);
    if (known) return known;
    await server.listen();
    this.servers.push(server);
    return server;
  }

  async ask(
    question: string,
    options: Partial<StartOptions> & { readonly server?: StrictServer } = {},
  ): Promise<Run> {
    const { server = this.server, ...rest } = options;
    return this.world.runs.start({
      chatId: CHAT,
      branch: 'main',
      question,
      model: await server.model(),
      ...rest,
    });
  }

  /** Asks, with what the server answers, and waits for the end. */
  async talk(question: string, ...replies: readonly StrictReply[]): Promise<Run> {
    return this.talkOn('main', question, ...replies);
  }

  async talkOn(branch: string, question: string, ...replies: readonly StrictReply[]): Promise<Run> {
    this.server.replies.push(...replies);
    const run = await this.ask(question, { branch });
    await run.done;
    return run;
  }

  async goOn(branch = 'main', model?: ChatModel): Promise<Run> {
    const run = await this.world.runs.start({
      chatId: CHAT,
      branch,
      model: model ?? (await this.server.model()),
      continues: true,
    });
    await run.done;
    return run;
  }

  /** The messages on a branch after one of them, as they are stored. */
  async storedAfter(id: string | undefined, branch = 'main'): Promise<readonly MessageData[]> {
    const { headMessageId: head } = await this.branch(branch);
    const path = head === null ? [] : await this.world.store.getPath(CHAT, head);
    return path.slice(path.findIndex((message) => message.id === id) + 1);
  }

  /** Goes on with what was said in another conversation, as if it had been said here. */
  async add(messages: readonly MessageData[], branch = 'main'): Promise<void> {
    await this.world.store.saveMessages({
      chatId: CHAT,
      branch,
      expectedHead: (await this.branch(branch)).headMessageId,
      onHeadConflict: 'error',
      newBranchAt: undefined,
      activate: false,
      messages,
    });
  }

  async branch(name = 'main'): Promise<BranchData> {
    const branch = await this.world.store.getBranch(CHAT, name);
    assert.ok(branch, `There is no branch ${name}.`);
    return branch;
  }

  /** The id of a message on a branch. */
  async idOf(question: string, branch = 'main'): Promise<string> {
    const path = await this.world.path(branch);
    const found = path.find(({ parts }) =>
      parts.some((part) => part.type === 'text' && 'text' in part && part.text === question),
    );
    assert.ok(found, `Nobody said ${question} on ${branch}.`);
    return found.id;
  }

  async picture(bytes: Uint8Array, mediaType: 'image/png' | 'image/gif'): Promise<UIMessagePart> {
    const hash = await this.world.store.blobs.put(bytes);
    return imagePart({ hash, mediaType, name: 'a picture' });
  }

  offerOddTools(): void {
    this.tools = [...cycleTools, echoTool, ...foreignTools(() => oddTools, new Set()).offered];
  }

  /** What was refused, and by whom. */
  refusals(): string[] {
    return this.servers.flatMap(({ name, refused }) =>
      refused.flatMap(({ faults }) => faults.map((fault) => `${name}: ${fault}`)),
    );
  }

  /** Nobody refused anything, and the last answer is whole. */
  async accepted(branch = 'main'): Promise<void> {
    for (const { name, refused, requests } of this.servers) {
      assert.deepEqual(
        refused.map(({ faults }) => faults),
        [],
        `${name} refused a request`,
      );
      assert.ok(requests.length > 0, `${name} was not asked`);
    }
    const { status, error } = await this.world.lastMetadata(branch);
    assert.deepEqual([status, error], ['complete', undefined]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    for (const server of this.servers) await server.close();
  }
}

/** An answer as its draft was saved while a call of it was at work, after all that is on the main branch. */
export async function draftWithCalls(world: World, modelId: string): Promise<UIMessage> {
  const path = await world.path();
  return {
    id: crypto.randomUUID(),
    role: 'assistant',
    metadata: {
      modelId,
      modelLabel: 'A model',
      isDemo: false,
      status: 'interrupted',
      startedAt: 0,
      finishedAt: 0,
      afterId: path.at(-1)?.id ?? '',
    },
    parts: [
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-echo', toolCallId: 'abcdefg01', state: 'input-available', input: { text: 'x' } },
      { type: 'tool-echo', toolCallId: 'abcdefg02', state: 'input-streaming', input: { te: 'x' } },
    ],
  };
}
