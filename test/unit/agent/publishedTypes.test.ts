import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pdfPart } from '../../../src/models/messages/messageFiles.ts';
import { AnthropicServer } from '../../fixtures/strict/anthropic.ts';
import { ChatCompletionsServer } from '../../fixtures/strict/chatCompletions.ts';
import { chatRules } from '../../fixtures/strict/chatRules.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import { AzureServer, XaiServer } from '../../fixtures/strict/responsesProviders.ts';
import { VertexClaudeServer } from '../../fixtures/strict/vertex.ts';
import { call, readObject, reasoning, text, type StrictServer } from '../../fixtures/strict/strictServer.ts';
import { pdf, pixel } from '../../fixtures/pdfs.ts';
import { typeErrors } from '../../fixtures/typeErrors.ts';
import { Scene } from '../../worlds/scene.ts';

interface Published {
  readonly create: () => StrictServer;
  /** A type of the provider's own SDK, which is made from what it publishes of its API. */
  readonly type: string;
  readonly module: string;
  /** Members whose type is another one, or left out, where the documentation has more than the SDK. */
  readonly documented?: Readonly<Record<string, string>>;
}

const chatServer = (name: string) => (): StrictServer =>
  new ChatCompletionsServer(chatRules.find((rules) => rules.name === name) ?? assert.fail(name));

const published: Readonly<Record<string, Published>> = {
  Anthropic: {
    create: () => new AnthropicServer(),
    module: '@anthropic-ai/sdk/resources/messages/messages',
    type: 'MessageCreateParamsStreaming',
  },
  'OpenAI, Responses': {
    create: () => new OpenAiResponsesServer(),
    module: 'openai/resources/responses/responses',
    type: 'ResponseCreateParamsStreaming',
  },
  'Azure OpenAI, by OpenAI’s Responses': {
    create: () => new AzureServer(),
    module: 'openai/resources/responses/responses',
    type: 'ResponseCreateParamsStreaming',
  },
  'xAI, by OpenAI’s Responses': {
    create: () => new XaiServer(),
    module: 'openai/resources/responses/responses',
    type: 'ResponseCreateParamsStreaming',
  },
  'Vertex AI, by Anthropic’s Messages': {
    create: () => new VertexClaudeServer(),
    module: '@anthropic-ai/sdk/resources/messages/messages',
    type: 'MessageCreateParamsStreaming',
    // The model is in the address; this one is old enough to take a temperature.
    documented: { model: 'never', anthropic_version: 'string', temperature: 'number' },
  },
  'OpenAI, Chat Completions': {
    create: chatServer('openai chat'),
    module: 'openai/resources/chat/completions/completions',
    type: 'ChatCompletionCreateParamsStreaming',
  },
  Ollama: {
    create: () => new OllamaServer(),
    module: 'ollama',
    type: 'ChatRequest',
    // https://docs.ollama.com/api/chat: parameters are any JSON Schema.
    documented: {
      truncate: 'boolean',
      shift: 'boolean',
      tools: '{ type: string; function: { name: string; description: string; parameters: object } }[]',
    },
  },
};

/** The bodies of a conversation that has what requests can have. */
async function bodiesOf(create: () => StrictServer): Promise<string[]> {
  await using scene = await Scene.open(create);
  const paper = await scene.world.store.blobs.put(pdf(2));
  const attached = [
    await scene.picture(pixel, 'image/png'),
    pdfPart({ hash: paper, name: 'a.pdf', size: 100, pages: 2 }),
  ];
  scene.server.replies.push(
    [reasoning('Hm.'), text('Look:'), call('echo', { text: 'a' }), call('show', {}), call('silent', {})],
    [reasoning('So.'), call('nowhere', { a: [1, { b: null }] })],
    [text('I see.')],
  );
  await (
    await scene.ask('Look', { attached })
  ).done;
  scene.offerOddTools();
  await scene.talk('And now?', [call('odd_text', {})], [text('The same.')]);
  await (
    await scene.ask('Warm?', { temperature: 0.5 })
  ).done;
  await scene.accepted();
  const { requests } = scene.server;
  assert.equal(requests.length, 6);
  return requests.map(({ text: body }) => body);
}

/** What the compiler finds wrong with these bodies. */
function problemsOf(
  { module, type, documented = {} }: Published,
  bodies: readonly string[],
): Promise<string[]> {
  const names = Object.keys(documented).map((member) => `'${member}'`);
  const members = Object.entries(documented).map(([member, its]) => `${member}?: ${its}`);
  const wanted =
    members.length === 0 ? type : `Omit<${type}, ${names.join(' | ')}> & { ${members.join('; ')} }`;
  return inFile(
    [
      `import type { ${type} } from '${module}';`,
      ...bodies.map((body, at) => `export const request${at}: ${wanted} = ${body};`),
    ].join('\n'),
  );
}

async function inFile(program: string): Promise<string[]> {
  // Within the repository, whose packages it imports.
  const folder = path.join(process.cwd(), 'out', 'published', crypto.randomUUID());
  const file = path.join(folder, 'bodies.ts');
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(file, program);
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    return await typeErrors(file, ['--types', 'node', '--skipLibCheck', ...modules]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('what is sent has the type of the provider’s own SDK', () => {
  for (const [name, each] of Object.entries(published)) {
    it(name, async () => {
      const bodies = await bodiesOf(each.create);
      assert.deepEqual(await problemsOf(each, bodies), []);
    });
  }

  it('which refuses what is no part of it', async () => {
    const each = published['Anthropic'] ?? assert.fail();
    const [body = ''] = await bodiesOf(each.create);
    const unknown = JSON.stringify({ ...readObject(JSON.parse(body)), invented: true });
    assert.match((await problemsOf(each, [unknown])).join(), /invented/);
    const wrong = JSON.stringify({ ...readObject(JSON.parse(body)), max_tokens: 'many' });
    assert.match((await problemsOf(each, [wrong])).join(), /max_tokens|number/);
  });
});
