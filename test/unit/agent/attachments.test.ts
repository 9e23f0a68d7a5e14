import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { attachedFileOf, attachedFileParts } from '../../../src/agent/attachments/attachedFile.ts';
import { imageTypeOf, imagePart } from '../../../src/models/messages/messageFiles.ts';
import { questionText } from '../../../src/agent/context/plainText.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { textOf, type UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { answer, refuse } from '../../fixtures/openaiServer.ts';
import { savedTexts } from '../../fixtures/savedTexts.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';

const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 250, 251]);

describe('an image that goes with a question', () => {
  const askWith = async (
    world: World,
    attached: readonly UIMessagePart[],
    model?: Partial<ChatModel>,
    question = 'What is this?',
  ) => {
    const run = await world.runs.start({
      chatId: CHAT,
      branch: await world.startChat(),
      question,
      attached,
      model: { ...(await world.model()), ...model },
    });
    await run.done;
    return run;
  };
  const contentOf = (world: World, index = 0): unknown =>
    world.server.requests[index]?.body.messages.find(({ role }) => role === 'user')?.content;

  it('is sent to the model as it is, and its message names its bytes without holding them', async () => {
    await using world = await newWorld({ script: [answer('A cat')] });
    const hash = await world.store.blobs.put(bytes);
    await askWith(world, [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })]);
    const url = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
    assert.deepEqual(contentOf(world), [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ]);
    const [question] = await world.path();
    assert.ok(question);
    assert.deepEqual(question.parts[1], {
      type: 'file',
      mediaType: 'image/png',
      url: `offshoot-blob:${hash}`,
      filename: 'cat.png',
    });
    assert.equal(textOf(question), 'What is this?');
  });

  it('is a question of its own where nothing is said, and is listed by its name', async () => {
    await using world = await newWorld({ script: [answer('A cat')] });
    const hash = await world.store.blobs.put(bytes);
    await askWith(world, [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })], {}, '');
    const url = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
    assert.deepEqual(contentOf(world), [{ type: 'image_url', image_url: { url } }]);
    const [question] = await world.path();
    assert.ok(question);
    assert.deepEqual([question.parts.length, textOf(question), questionText(question)], [1, '', 'cat.png']);
    assert.equal(questionText({ parts: [{ type: 'text', text: 'Look!' }, ...question.parts] }), 'Look!');
  });

  it('is sent again with the next question', async () => {
    await using world = await newWorld({ script: [answer('A cat'), answer('Black')] });
    const hash = await world.store.blobs.put(bytes);
    await askWith(world, [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })]);
    await world.answered('Which color?');
    assert.match(JSON.stringify(contentOf(world, 1)), /image_url/);
  });

  it('is only told of to a model that cannot see, and where it is no longer kept', async () => {
    await using world = await newWorld({ script: [answer('No')] });
    const hash = await world.store.blobs.put(bytes);
    const gone = 'a'.repeat(64);
    const parts = [
      imagePart({ hash, mediaType: 'image/png', name: 'cat.png' }),
      imagePart({ hash: gone, mediaType: 'image/png', name: 'dog.png' }),
    ];
    await askWith(world, parts, { capabilities: ['tools'] });
    const sent = JSON.stringify(contentOf(world));
    assert.match(sent, /An image, “cat\.png”, which this model cannot see\./);
    assert.match(sent, /The image “dog\.png” is no longer kept\./);
    assert.doesNotMatch(sent, /image_url/);
  });

  it('is left out with a word when a server turns out to take none', async () => {
    const message = 'Invalid content type. image_url is not supported by this model';
    await using world = await newWorld({ script: [refuse(400, { message }), answer('I see no cat.')] });
    const hash = await world.store.blobs.put(bytes);
    const run = await askWith(world, [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })]);
    assert.deepEqual([run.status, run.notice?.code], ['complete', 'no-images']);
    assert.match(run.notice?.message ?? '', /test-model can’t see images, and answered without them/);
    assert.match(
      JSON.stringify(world.server.requests[1]?.body),
      /An image, “cat\.png”, which this model cannot see/,
    );
    assert.doesNotMatch(JSON.stringify(world.server.requests[1]?.body), /image_url/);
  });

  it('is refused in plain words by a server that takes none, and says so without one', async () => {
    const refusal = refuse(400, { message: 'image_url is not supported by this model' });
    await using world = await newWorld({ script: [refusal, refusal] });
    const hash = await world.store.blobs.put(bytes);
    const run = await askWith(world, [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })]);
    assert.equal(run.error?.code, 'no-images');
    assert.match(run.error.message, /test-model doesn’t support images: .* Select another model/);
  });

  it('is known by how it begins, not by its name; SVG is none', () => {
    const of = (text: string): string | undefined => imageTypeOf(Buffer.from(text, 'latin1'));
    assert.deepEqual(
      [imageTypeOf(bytes), of('\xff\xd8\xff\xe0'), of('GIF89a'), of('RIFF\0\0\0\0WEBPVP8 ')],
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    );
    const others = ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF\0\0\0\0WAVE', '', 'PK', '\x89PN'];
    assert.deepEqual(others.map(of), Array(5).fill(undefined));
  });
});

describe('a file that goes with a question', () => {
  let root: string;
  let outside: string;
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'offshoot-attached-'));
    outside = await mkdtemp(path.join(tmpdir(), 'offshoot-elsewhere-'));
    await writeFile(path.join(root, 'a.ts'), 'one\r\ntwo\r\n```\r\nfour');
    await writeFile(path.join(root, 'long.txt'), 'x'.repeat(70_000));
    await writeFile(path.join(root, 'image.bin'), Buffer.from([0, 1, 2]));
    await writeFile(path.join(outside, 'secret.txt'), 'secret');
    await symlink(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
  });
  after(async () => {
    await rm(root, { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });
  const files = new NodeGuardedFiles(() => [{ name: 'work', uri: uriOf(root) }]);
  const partsOf = (range: Parameters<typeof attachedFileParts>[1]) =>
    attachedFileParts(files, range, savedTexts);
  const attachedText = ([, text]: readonly UIMessagePart[]): string =>
    text?.type === 'text' && 'text' in text ? text.text : '';

  it('is shown by its path and lines, and its text is for the model alone', async () => {
    const parts = await partsOf({ path: 'a.ts', startLine: 2, endLine: 3 });
    assert.deepEqual(
      parts.flatMap((part) => attachedFileOf(part) ?? []),
      [{ path: 'a.ts', startLine: 2, endLine: 3 }],
    );
    assert.equal(attachedText(parts), '[The user attached a.ts, lines 2–3 of 4:]\n````\ntwo\n```\n````');
    assert.equal(textOf({ parts: [{ type: 'text', text: 'q' }, ...parts] }), 'q');
  });

  it('reaches the model with the question', async () => {
    await using world = await newWorld({ script: [answer('Yes')] });
    const run = await world.runs.start({
      chatId: CHAT,
      branch: await world.startChat(),
      question: 'What is in it?',
      attached: await partsOf({ path: 'a.ts' }),
      model: await world.model(),
    });
    await run.done;
    assert.match(JSON.stringify(world.server.requests[0]?.body), /The user attached a\.ts:\]/);
  });

  it('is cut where it is long, and says so', async () => {
    const parts = await partsOf({ path: 'long.txt' });
    assert.equal(attachedFileOf(parts[0] ?? assert.fail())?.leftOut, 10_000);
    assert.match(attachedText(parts), /\[10000 more characters were left out\.\]$/);
  });

  it('lies in the open folders, also after its links are followed, and is text', async () => {
    const code = async (given: string): Promise<unknown> =>
      partsOf({ path: given }).then(
        () => 'taken',
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    assert.deepEqual(
      await Promise.all(
        ['../x', path.join(outside, 'secret.txt'), 'link.txt', 'none.ts', 'image.bin', '.'].map(code),
      ),
      ['outside-workspace', 'outside-workspace', 'outside-workspace', 'not-found', 'binary', 'is-folder'],
    );
    await assert.rejects(partsOf({ path: 'a.ts', startLine: 9 }), { code: 'no-such-line' });
  });

  it('is taken as the editor holds it while it is not saved', async () => {
    const parts = await attachedFileParts(
      files,
      { path: 'a.ts' },
      {
        ...savedTexts,
        unsaved: () => Promise.resolve({ text: 'unsaved', encoding: 'utf8' }),
      },
    );
    assert.match(attachedText(parts), /\nunsaved\n/);
  });
});
