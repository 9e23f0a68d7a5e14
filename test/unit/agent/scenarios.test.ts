import assert from 'node:assert/strict';
import { pdfPart } from '../../../src/models/messages/messageFiles.ts';
import { figure } from '../../fixtures/figures.ts';
import { JudgingLlama } from '../../fixtures/llama/judgingLlama.ts';
import { isLlamaSupported, LlamaServer } from '../../fixtures/llama/llamaServer.ts';
import { pdf } from '../../fixtures/pdfs.ts';
import { strictServers, type NewStrictServer } from '../../fixtures/strict/strictServers.ts';
import { call, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { Scene } from '../../worlds/scene.ts';
import { branchFlows } from './branchFlows.ts';
import { exploreFlows } from './exploreFlows.ts';
import { interruptedFlows } from './interruptedFlows.ts';
import { SaidBefore } from './saidBefore.ts';
import { echo, type Flow } from './scenarioFlow.ts';

const said = new SaidBefore();

const flows: readonly Flow[] = [
  ...interruptedFlows(),
  ...branchFlows(said),
  ...exploreFlows(),
  {
    title: 'a loop of five steps',
    play: async (scene) => {
      const steps = ['a', 'b', 'c', 'd'].map((step) => [
        reasoning(`Now ${step}.`),
        text(`Step ${step}`),
        echo(step),
      ]);
      await scene.talk('Go', ...steps, [reasoning('All there.'), text('Done.')]);
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'parallel calls, one of no tool there is, one without an answer',
    play: async (scene) => {
      const calls = [echo('a'), call('silent'), call('functions.echo<|channel|>commentary', {}), echo('b')];
      await scene.talk('Go', [reasoning('All at once.'), ...calls], [text('Done.')]);
      await scene.talk('Again', [echo('c'), echo('d')], [text('Done.')]);
      return undefined;
    },
  },
  {
    title: 'calls that all have one id',
    play: async (scene) => {
      // No provider is to be trusted with that.
      await scene.talk(
        'Go',
        [call('echo', { text: 'a' }, 'samesame1')],
        [call('echo', { text: 'b' }, 'samesame1')],
        [text('Done.')],
      );
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: 'calls of one step that have one id, with reasoning between',
    play: async (scene) => {
      const twins = [call('echo', { text: 'a' }, 'same1same'), call('echo', { text: 'b' }, 'same1same')];
      await scene.talk(
        'Go',
        twins.flatMap((each) => [reasoning('Hm.'), each]),
        [text('Done.')],
      );
      await scene.talk('And?', [text('That is all.')]);
      return undefined;
    },
  },
  {
    title: "a loop that goes on with this model after another's limit of steps",
    options: { maxSteps: 2 },
    play: async (scene) => {
      await scene.talk('Hello', [text('Hello.')]);
      const [, hello] = await scene.world.path();
      assert.ok(hello);
      // Each on a branch of its own: one path through all of them is among the ways through the tree.
      const halves = (await said.halves()).filter(({ name }) => name !== scene.server.name);
      for (const [at, { messages }] of halves.entries()) {
        const { name: branch } = await scene.world.engine('main').rewind(hello.id);
        await scene.add(messages, branch);
        // A step of its own after one of them: with others it is the same.
        if (at === 0) scene.server.replies.push([reasoning('On.'), echo('c')]);
        scene.server.replies.push([text('Done.')]);
        await scene.goOn(branch);
        await scene.accepted(branch);
      }
      return undefined;
    },
  },
  {
    title: 'pictures and files',
    play: async (scene) => {
      const png = Uint8Array.of(
        0x89,
        0x50,
        0x4e,
        0x47,
        0x0d,
        0x0a,
        0x1a,
        0x0a,
        0,
        0,
        0,
        13,
        73,
        72,
        68,
        82,
        0,
        0,
        0x20,
        0,
        0,
        0,
        0,
        9,
      );
      const gif = Uint8Array.of(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 2, 0, 2, 0);
      const attached = [
        await scene.picture(png, 'image/png'),
        await scene.picture(gif, 'image/gif'),
        // Under the name of another kind.
        await scene.picture(gif, 'image/png'),
        {
          type: 'file' as const,
          mediaType: 'text/csv',
          url: `data:text/csv;base64,${btoa('a,b')}`,
          filename: 'a.csv',
        },
        {
          type: 'file' as const,
          mediaType: 'application/zip',
          url: `data:application/zip;base64,${btoa('PK')}`,
        },
        { type: 'text' as const, text: ' \n ' },
      ];
      scene.server.replies.push([echo('a')], [text('I see.')]);
      await (
        await scene.ask('Look', { attached })
      ).done;
      scene.server.replies.push([text('Many.')]);
      const many = await Promise.all(Array.from({ length: 25 }, () => scene.picture(png, 'image/png')));
      await (
        await scene.ask('And these?', { attached: many })
      ).done;
      return undefined;
    },
  },
  {
    title: 'pictures and PDFs of tools and of the user',
    play: async (scene) => {
      const paper = async (bytes: Uint8Array, pages: number) => {
        const hash = await scene.world.store.blobs.put(bytes);
        return pdfPart({ hash, name: `${pages}.pdf`, size: bytes.byteLength, pages });
      };
      scene.server.replies.push(
        [call('show', {}), call('show', { text: ' ' }), echo('a')],
        [call('show', {})],
      );
      scene.server.replies.push([text('I see.')]);
      await (
        await scene.ask('Look', { attached: [await paper(pdf(3), 3), await paper(pdf(99), 99)] })
      ).done;
      await scene.talk('And now?', [call('show', {})], [text('The same.')]);
      return undefined;
    },
  },
  {
    title: 'tools of MCP servers with odd schemas',
    play: async (scene) => {
      scene.offerOddTools();
      await scene.talk('Go', [call('odd_union', { b: 1 })], [text('Done.')]);
      await scene.talk('And?', [call('odd_text', {})], [text('That is all.')]);
      return undefined;
    },
  },
];

/** The two that take least: ids of one form and sides in turn, and a call after a text or a thought. */
const templates = ['mistralai-Mistral-Nemo-Instruct-2407', 'openai-gpt-oss-120b'];

interface Column {
  readonly name: string;
  readonly create: NewStrictServer;
  /** Starts what the server needs, unless it is there. */
  readonly start?: () => Promise<void>;
}

/** What every provider accepts of every flow: a cell is a test, and its title names both. All of them are shown. */
describe('what is sent is accepted', () => {
  const cells = new Map<string, string>();
  const llamas = new Map<string, LlamaServer>();
  const columns: Column[] = [
    ...strictServers.map((create) => ({ name: create().name, create })),
    ...(isLlamaSupported ? templates : []).map((template): Column => {
      const name = `a real llama-server, ${template}`;
      return {
        name,
        create: () =>
          new JudgingLlama(name, () => llamas.get(template) ?? assert.fail('It was not started.')),
        start: async () => {
          if (!llamas.has(template)) llamas.set(template, await LlamaServer.start(template));
        },
      };
    }),
  ];

  after(async () => {
    for (const llama of llamas.values()) await llama[Symbol.asyncDispose]();
    const servers = columns.map(({ name }) => name);
    figure('what is sent is accepted', tableOf(servers, cells));
  });

  afterEach(function () {
    const { currentTest } = this;
    const isPassed = currentTest?.state === 'passed';
    cells.set(cellOf(currentTest?.parent?.title, currentTest?.title), isPassed ? '✔' : '✘');
  });

  for (const { title, options, play } of flows) {
    describe(title, () => {
      for (const { name, create, start } of columns) {
        it(name, async () => {
          await start?.();
          await using scene = await Scene.open(create, options);
          const branch = await play(scene);
          await scene.accepted(branch);
        });
      }
    });
  }
});

function cellOf(flow = '', server = ''): string {
  return `${flow}\n${server}`;
}

/** A row for each flow; the servers stand below, since their names are too long for columns. */
function tableOf(servers: readonly string[], cells: ReadonlyMap<string, string>): string {
  const width = Math.max(...flows.map(({ title }) => title.length));
  const row = (title: string, entries: readonly string[]): string =>
    [title.padEnd(width), ...entries.map((entry) => entry.padStart(2))].join(' ');
  return [
    row(
      '',
      servers.map((_server, at) => String(at + 1)),
    ),
    // A cell that was not asked for has no mark.
    ...flows.map(({ title }) =>
      row(
        title,
        servers.map((server) => cells.get(cellOf(title, server)) ?? ''),
      ),
    ),
    servers.map((server, at) => `${at + 1} ${server}`).join(', '),
  ].join('\n');
}
