import assert from 'node:assert/strict';
import { ModelError } from '../../../src/models/errors/modelErrors.ts';
import { withListPrices, contextWindowOf } from '../../../src/models/chatModel.ts';
import { effortsOf, pdfLimitsOf } from '../../../src/models/modelProviders.ts';
import { bedrock } from '../../../src/models/providers/cloud/bedrock.ts';
import { CloudSource } from '../../../src/models/providers/cloud/cloudSource.ts';
import { vertex, vertexClaude } from '../../../src/models/providers/cloud/vertex.ts';
import { BedrockServer } from '../../fixtures/strict/bedrock.ts';
import {
  call,
  cut,
  readList,
  readObject,
  text,
  type StrictServer,
} from '../../fixtures/strict/strictServer.ts';
import { sourceAt, VertexClaudeServer, VertexServer } from '../../fixtures/strict/vertex.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';

const OPUS = 'eu.anthropic.claude-opus-4-6-v1:0';

/** The error that an answer of this model ends with. */
async function errorOf(server: StrictServer): Promise<string> {
  await using world = await newWorld();
  const model = await server.model();
  const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
  await run.done;
  return `${run.error?.code ?? ''}: ${run.error?.message ?? ''}`;
}

describe('models of Amazon Bedrock', () => {
  it('are listed as they can be asked: by profiles that lead to a model, else by the model', async () => {
    await using server = await new BedrockServer().listen();
    const models = await server.source.list();
    assert.deepEqual(
      models.map(({ id, label, capabilities }) => [id, label, capabilities]),
      [
        ['bedrock:amazon.nova-lite-v1:0', 'Amazon Nova Lite', ['tools', 'images']],
        [`bedrock:${OPUS}`, 'EU Anthropic Claude Opus 4.6', ['tools', 'images', 'reasoning']],
      ],
    );
  });

  it('have the window of the same model elsewhere, and its efforts', async () => {
    await using server = await new BedrockServer().listen();
    const model = await withListPrices(await server.model());
    assert.ok((contextWindowOf(model) ?? 0) >= 200_000, model.listedAs);
    assert.deepEqual(effortsOf(model), ['none', 'low', 'medium', 'high']);
    assert.deepEqual(effortsOf({ id: 'bedrock:openai.gpt-oss-120b-1:0' }), ['low', 'medium', 'high']);
    assert.deepEqual(effortsOf({ id: 'bedrock:us.meta.llama3-3-70b-instruct-v1:0' }), []);
    assert.ok(pdfLimitsOf(model));
    assert.equal(pdfLimitsOf({ id: 'bedrock:us.meta.llama3-3-70b-instruct-v1:0' }), undefined);
  });

  it('are asked to show what they think, and as hard as was selected', async () => {
    await using server = await new BedrockServer().listen();
    for (const [effort, expected] of [
      [undefined, { thinking: { type: 'adaptive', display: 'summarized' } }],
      ['low', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }],
      ['none', undefined],
    ] as const) {
      await using world = await newWorld({ effort: () => effort });
      const model = await server.model();
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error, undefined);
      assert.deepEqual(readObject(server.requests.at(-1)?.body)['additionalModelRequestFields'], expected);
    }
  });

  it('read two PDFs of one name, whose names they would refuse', async () => {
    await using scene = await Scene.open(() => new BedrockServer());
    await scene.talk('Show', [call('show')], [text('Seen.')]);
    await scene.talk('Again', [call('show')], [text('Seen.')]);
    await scene.accepted();
  });

  it('are told what to cache: the instructions, and the conversation so far', async () => {
    await using scene = await Scene.open(() => new BedrockServer());
    await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
    await scene.accepted();
    const { system, messages } = readObject(scene.server.requests[1]?.body);
    const mark = { cachePoint: { type: 'default' } };
    assert.deepEqual(readList(system).at(-1), mark);
    const marked = readList(messages).map(({ content }) =>
      readList(content).some((each) => 'cachePoint' in each),
    );
    assert.deepEqual(marked, [true, false, true]);
    await using llama = await Scene.open(() => new BedrockServer('llama'));
    await llama.talk('Go', [text('Done.')]);
    assert.doesNotMatch(llama.server.requests[0]?.text ?? '', /cachePoint/u);
  });

  it('say that an answer was cut', async () => {
    for (const create of [
      () => new BedrockServer(),
      () => new VertexServer(),
      () => new VertexClaudeServer(),
    ]) {
      await using server = await create().listen();
      server.replies.push([text('Half of'), cut]);
      const said = await errorOf(server);
      assert.match(
        said,
        /: Connection to the model server lost\. Partial response saved\.$/u,
        `${server.name} ${said}`,
      );
    }
  });

  const refusals: readonly (readonly [number, string, RegExp])[] = [
    [
      403,
      "You don't have access to the model with the specified model ID.",
      /^forbidden: .*Claude|^forbidden: This account can’t use .*claude.* in eu-central-1: You don't have access.*Enable the model in the Bedrock console/u,
    ],
    [
      400,
      'The provided model identifier is invalid.',
      /^model-not-found: Bedrock doesn’t offer .* in eu-central-1.*“Offshoot: Select Model”/u,
    ],
    [
      400,
      'Invocation of model ID x with on-demand throughput isn’t supported.',
      /^model-not-found: .*Select another model/u,
    ],
    [403, 'The security token included in the request is expired', /^sign-in: .*aws sso login/u],
    [
      403,
      'User: arn:aws:sts::1:role/x is not authorized to perform: bedrock:InvokeModelWithResponseStream',
      /^forbidden: .*InvokeModelWithResponseStream allowed/u,
    ],
    [400, 'Input is too long for requested model.', /^context-too-long: /u],
  ];
  for (const [status, message, expected] of refusals) {
    it(`say what to do: ${message}`, async () => {
      await using server = await new BedrockServer().listen();
      server.refuseWith = { status, message };
      assert.match(await errorOf(server), expected);
    });
  }

  it('say when they may not be listed', async () => {
    await using server = await new BedrockServer().listen();
    server.refuseWith = { status: 403, message: 'User is not authorized to perform this action' };
    await assert.rejects(server.source.list(), {
      code: 'forbidden',
      message: /bedrock:ListFoundationModels/u,
    });
  });
});

describe('models of Vertex AI', () => {
  it('are listed over all pages, those for conversations', async () => {
    await using server = await new VertexServer().listen();
    const models = await sourceAt(server.origin, vertex).list();
    assert.deepEqual(
      models.map(({ id, capabilities }) => [id, capabilities]),
      [
        ['vertex:gemini-2.5-pro', ['tools', 'images', 'reasoning']],
        ['vertex:gemini-3.8-flash', ['tools', 'images', 'reasoning']],
      ],
    );
    await using claude = await new VertexClaudeServer().listen();
    const claudes = await sourceAt(claude.origin, vertexClaude).list();
    assert.deepEqual(
      claudes.map(({ id, listedAs }) => [id, listedAs]),
      [
        ['vertex-anthropic:claude-opus-4-6', 'anthropic/claude-opus-4-6'],
        ['vertex-anthropic:claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5-20250929'],
      ],
    );
  });

  it('get the signature of a call back as it was', async () => {
    await using scene = await Scene.open(() => new VertexServer());
    await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
    await scene.accepted();
    assert.match(scene.server.requests[1]?.text ?? '', /"thoughtSignature":"signature-1"/u);
  });

  it('say that the sign-in was refused', async () => {
    await using server = await new VertexServer().listen();
    await assert.rejects(sourceAt(server.origin, vertex, 'another').list(), {
      code: 'sign-in',
      message: /gcloud auth application-default login/u,
    });
  });
});

describe('a cloud that is not set up', () => {
  for (const provider of [bedrock, vertex, vertexClaude]) {
    it(`lists nothing and says what is missing: ${provider.id}`, async () => {
      const source = new CloudSource<never>(provider, {
        access: () => undefined,
        missing: () => new ModelError('not-set-up', 'Set it up.'),
      });
      assert.deepEqual(await source.list(), []);
      const model = (await source.find(`${provider.id}:x`)) ?? assert.fail();
      await assert.rejects(model.open(), { code: 'not-set-up' });
      assert.equal(await source.find('openai:x'), undefined);
      assert.equal(await source.find(`${provider.id}:`), undefined);
    });
  }
});
