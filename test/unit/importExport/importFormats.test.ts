import assert from 'node:assert/strict';
import { batchOf } from '../../../src/importExport/importBatch.ts';
import { importFormats, readAny } from '../../../src/importExport/importFormats.ts';
import { programs } from '../../../src/importExport/importPrograms.ts';
import { fixtureFile, sourceFile } from '../../fixtures/importOutline.ts';

const NOW = Date.parse('2026-02-01');

/** A file of each program. */
const files: Readonly<Record<string, string>> = {
  'claude-code': 'branches.jsonl',
  'qwen-code': 'tree.jsonl',
  codex: 'rollout-rollback.jsonl',
  cline: 'tools.json',
  vscode: 'log.jsonl',
  pi: 'tree.jsonl',
  gemini: 'session-tree.jsonl',
  copilot: 'events.jsonl',
  opencode: 'single.json',
  chatgpt: 'single.json',
  'claude-ai': 'single.json',
  librechat: 'tree.json',
  'open-webui': 'single.json',
  'big-agi': 'single.json',
  'cherry-studio': 'data.json',
};

describe('formats of files', () => {
  it('are there for each program', () => {
    const known = importFormats.map(({ program }) => program);
    assert.deepEqual(new Set(known), new Set(Object.keys(programs)));
    // A file of Roo Code looks like one of Cline; our own, and databases, have tests of their own.
    const others = ['offshoot', 'roo', 'opencode', 'cursor', 'zed'];
    assert.deepEqual(new Set([...Object.keys(files), ...others]), new Set(Object.keys(programs)));
  });

  for (const [program, name] of Object.entries(files)) {
    it(`of ${program} are recognized by their content`, async () => {
      const { chats } = await readAny(await fixtureFile(program, name), NOW);
      const read = [];
      for await (const each of chats()) read.push(each);
      assert.deepEqual(new Set(read.map(({ source }) => source.program)), new Set([program]));
      assert.ok(read.some(({ chat }) => chat.messages.length > 0));
    });
  }

  it('of LibreChat may nest as deep as a conversation is long', async () => {
    // To write it out with JSON.stringify would take recursion.
    const numbers = Array.from({ length: 3_000 }, (_, at) => at + 1);
    const message = (at: number): string =>
      `{"messageId":"${at}","isCreatedByUser":${at % 2 === 1},"text":"${at}","children":[`;
    const tree = `[${numbers.map(message).join('')}${']}'.repeat(numbers.length)}]`;
    const text = `{"conversationId":"long","recursive":true,"messagesTree":${tree}}`;
    const { chats } = await readAny(sourceFile('long.json', text), NOW);
    for await (const { chat } of chats()) {
      assert.equal(chat.messages.length, 3_000);
      assert.equal(chat.branches.length, 1);
    }
  });

  it('that nothing knows are refused by a list of what is known', async () => {
    await assert.rejects(readAny(sourceFile('some.json', '{"some":"thing"}'), NOW), {
      code: 'import-failed',
      message: /conversations that Offshoot knows: .*VS Code, .*Offshoot/,
    });
  });

  it('with a record on each line that nothing knows are not called other than JSON', async () => {
    for (const text of [
      '{"step":1,"who":"me"}\n{"step":2}',
      '\n{"step":1,"who":"me"}\n{"step":2}\n{"st',
      '{"st\n{"step":1,"who":"me"}\n',
    ]) {
      await assert.rejects(readAny(sourceFile('some.jsonl', text), NOW), {
        code: 'import-failed',
        message:
          /a JSON record on each line, the first with "step", "who", and is no session that Offshoot knows: .*Codex/,
      });
    }
    for (const text of ['{"step":1,', 'some\nwords', '{\n"step":1,\n"who":"me"\n']) {
      const reading = await readAny(sourceFile('some.json', text), NOW);
      await assert.rejects(batchOf(reading), { message: /it is not JSON/ });
    }
  });
});
