import assert from 'node:assert/strict';
import { z } from 'zod';
import { imageProblem } from '../../../src/models/messages/imageProblem.ts';
import { keepToolFiles } from '../../../src/agent/tools/keepToolFiles.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { toolFilesOf, type ToolFile } from '../../../src/models/messages/toolFiles.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { MemoryBlobStore } from '../../../src/store/sqlite/inMemory.ts';
import { answer, useTools } from '../../fixtures/openaiServer.ts';
import { AnthropicServer } from '../../fixtures/strict/anthropic.ts';
import { GoogleServer } from '../../fixtures/strict/google.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import { VsCodeLmServer } from '../../fixtures/strict/vscodeLm.ts';
import { call, text, type StrictServer } from '../../fixtures/strict/strictServer.ts';
import { lockedPdf, pdf, pixel } from '../../fixtures/pdfs.ts';
import { newWorld } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const image = (bytes: Uint8Array, mediaType = 'image/png', name = 'a.png'): ToolFile => ({
  bytes,
  mediaType,
  name,
});
const base64 = Buffer.from(pixel).toString('base64');

describe('the files a tool answers with', () => {
  it('are kept as blobs, which the result of the call names', async () => {
    const tool = defineTool({
      name: 'shoot',
      description: '',
      input: z.object({}),
      run: () => ({ text: 'Done.', files: [image(pixel)] }),
    });
    await using world = await newWorld({
      tools: () => [tool],
      script: [useTools(['shoot', {}]), answer('I see.')],
    });
    await world.answered('?');
    const [made] = callsIn(await world.path());
    assert.ok(made);
    const [file, ...others] = toolFilesOf(made);
    assert.equal(others.length, 0);
    const hash = file?.url.slice('offshoot-blob:'.length) ?? '';
    assert.deepEqual(await world.store.blobs.get(hash), pixel);
    assert.doesNotMatch(JSON.stringify(await world.path()), new RegExp(base64.slice(0, 30), 'u'));
    assert.match(
      JSON.stringify(request(world.server, 2).body),
      new RegExp(`image_url.*${base64.slice(0, 30)}`, 'u'),
    );
  });

  it('are named in place of being sent where the model cannot see, and where they are gone', async () => {
    const tool = defineTool({
      name: 'shoot',
      description: '',
      input: z.object({}),
      run: () => ({ text: 'Done.', files: [image(pixel), image(pdf(), 'application/pdf', 'b.pdf')] }),
    });
    await using world = await newWorld({
      tools: () => [tool],
      script: [useTools(['shoot', {}]), answer('I see.'), answer('No.')],
    });
    const model = { ...(await world.model()), capabilities: ['tools'] as const };
    const run = await world.runs.start({
      chatId: 'chat',
      branch: await world.startChat(),
      question: '?',
      model,
    });
    await run.done;
    const sent = JSON.stringify(request(world.server, 2).body);
    assert.match(
      sent,
      /An image, “a\.png”, which this model cannot see\..*A PDF, “b\.pdf”, which this model cannot read/u,
    );
    assert.doesNotMatch(sent, /image_url/u);
  });

  it('are left out with the reason where they are damaged, misnamed, too many or too large', async () => {
    const blobs = new MemoryBlobStore();
    const noteOf = async (...files: readonly ToolFile[]): Promise<string> =>
      (await keepToolFiles({ text: '', files }, blobs)).text;
    assert.match(
      await noteOf(image(pixel.subarray(0, 50))),
      /“a\.png” \(image\/png\), was left out: it is damaged/u,
    );
    assert.match(await noteOf(image(pixel, 'image/jpeg')), /said to be image\/jpeg, and is image\/png/u);
    assert.match(await noteOf(image(Buffer.from('<svg/>'), 'image/svg+xml')), /no image\/svg\+xml/u);
    assert.match(await noteOf(image(Buffer.from('MZ'))), /its bytes are no image\/png/u);
    assert.match(await noteOf(image(lockedPdf(), 'application/pdf')), /protected by a password/u);
    assert.match(await noteOf(image(pixel, 'application/pdf')), /its bytes are no PDF/u);
    const large = new Uint8Array(3_750_001).fill(0);
    large.set(pixel);
    large.set(pixel.subarray(-12), large.length - 12);
    assert.match(await noteOf(image(large)), /too large \(3750001 bytes/u);
    assert.equal((await blobs.list()).length, 0, 'nothing is kept of them');
    const many = await keepToolFiles(
      { text: 'x', files: Array.from({ length: 12 }, () => image(pixel)) },
      blobs,
    );
    assert.equal(many.files?.length, 10);
    assert.equal(many.text.match(/too many/gu)?.length, 2);
  });

  it('are those whose bytes are kept: what another program’s chat says of files is no file', () => {
    const part = (files: unknown) => ({
      ...({
        type: 'dynamic-tool',
        toolName: 'x',
        toolCallId: 'x',
        state: 'output-available',
        input: {},
      } as const),
      output: { text: '', files },
    });
    const data = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${base64}` };
    assert.deepEqual(toolFilesOf(part([data])), []);
    assert.deepEqual(toolFilesOf(part([{ ...data, url: 'https://a.test/x.png' }])), []);
    assert.deepEqual(toolFilesOf(part('none')), []);
    assert.equal(toolFilesOf(part([{ ...data, url: `offshoot-blob:${'a'.repeat(64)}` }])).length, 1);
  });

  it('of read_file are the pictures and PDFs of the workspace', async () => {
    await using workspace = await TestWorkspace.create({
      'a.png': pixel,
      'b.pdf': pdf(),
      'half.png': pixel.subarray(0, 40),
    });
    await using world = await newWorld({
      tools: () => readTools(workspace),
      script: [
        useTools(
          ['read_file', { path: 'a.png' }],
          ['read_file', { path: 'b.pdf' }],
          ['read_file', { path: 'half.png' }],
        ),
        answer('ok'),
      ],
    });
    await world.answered('?');
    const calls = callsIn(await world.path());
    assert.deepEqual(
      calls.map((each) => toolFilesOf(each).map(({ mediaType, filename }) => [mediaType, filename])),
      [[['image/png', 'a.png']], [['application/pdf', 'b.pdf']], []],
    );
    const sent = JSON.stringify(request(world.server, 2).body);
    assert.match(sent, /a\.png \(image\/png, 70 bytes\):/u);
    assert.match(sent, /A PDF, “b\.pdf”, was left out: this model does not read application\/pdf/u);
    assert.match(sent, /“half\.png” \(image\/png\), was left out: it is damaged/u);
  });
});

describe('a picture and a PDF of a tool are sent', () => {
  /** The request that follows on the call, as text. */
  const sentTo = async (create: () => StrictServer): Promise<string> => {
    await using scene = await Scene.open(create);
    await scene.talk('Go', [call('show', {})], [text('Seen.')]);
    await scene.accepted();
    return JSON.stringify(scene.server.requests.at(-1)?.body);
  };

  it('in the result where Anthropic, OpenAI’s Responses and Gemini 3 take them', async () => {
    const anthropic = await sentTo(() => new AnthropicServer());
    assert.match(anthropic, /"tool_result".*"type":"image","source":\{"type":"base64".*"type":"document"/u);
    assert.match(anthropic, /“half\.png” \(image\/png\), was left out: it is damaged/u);
    const openAi = await sentTo(() => new OpenAiResponsesServer());
    assert.match(openAi, /"function_call_output".*"input_image".*"input_file","filename":"paper\.pdf"/u);
    const google = await sentTo(() => new GoogleServer());
    assert.match(
      google,
      /"functionResponse":.*"parts":\[\{"inlineData":\{"mimeType":"image\/png".*application\/pdf/u,
    );
  });

  it('in a message after it elsewhere, and what a model does not read is named', async () => {
    for (const create of [() => new OllamaServer(), () => new VsCodeLmServer()]) {
      const sent = await sentTo(create);
      assert.match(sent, /What the tool show answered with, and not the user’s words/u);
      assert.match(sent, /A PDF, “paper\.pdf”, was left out: this model does not read application\/pdf/u);
    }
  });
});

describe('what is wrong with a picture', () => {
  const of = (text: string, type: string): string | undefined =>
    imageProblem(Buffer.from(text, 'latin1'), type);

  it('is nothing where it is whole and says what it is', () => {
    assert.equal(imageProblem(pixel, 'image/png'), undefined);
    assert.equal(of('GIF89a\x02\0\x02\0\x80\0\0;', 'image/gif'), undefined);
    const jpeg = '\xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01\x03\xff\xd9';
    assert.equal(of(jpeg, 'image/jpg'), undefined);
    assert.equal(of('RIFF\x16\0\0\0WEBPVP8 \0\0\0\0\0\0\0\0\0\0\x01\0\x01\0', 'image/webp'), undefined);
  });

  it('is that it ends before its end', () => {
    assert.equal(of('GIF89a\x02\0\x02\0', 'image/gif'), 'it is damaged');
    assert.equal(of('\xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01\x03', 'image/jpeg'), 'it is damaged');
    assert.equal(of('RIFF\xff\0\0\0WEBPVP8 \0\0\0\0\0\0\0\0\0\0\x01\0\x01\0', 'image/webp'), 'it is damaged');
  });
});
