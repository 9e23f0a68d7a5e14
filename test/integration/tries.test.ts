import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { readAlternatives } from '../../src/extension/chat/readAlternatives.ts';
import { readTemperature } from '../../src/extension/models/pickModel.ts';
import type { AlternativesView } from '../../src/protocol/chatFromHost.ts';
import {
  answer,
  finish,
  lastQuestion,
  pause,
  refuse,
  say,
  startOpenAiServer,
  type OpenAiServer,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { openAlternatives } from './alternativesPage.ts';
import { ask, offshoot, messageText, setSetting, untilChanged } from './support.ts';

describe('several answers to one question', () => {
  let api: Offshoot;
  let server: OpenAiServer;
  let count = 0;

  before(async () => {
    api = await offshoot();
    server = await startOpenAiServer({
      models: ['test-model', 'other-model', 'broken-model'],
      script: (request) => {
        count += 1;
        if (request.body.model === 'broken-model') return refuse(400, { message: 'no such thing' });
        if (lastQuestion(request) === 'slow')
          return [say(`${request.body.model} begins`), pause('slow'), say('.'), finish()];
        return answer(`answer ${count} of ${request.body.model}`);
      },
    });
    await setSetting('openaiCompatible.baseUrl', server.baseUrl);
    await setSetting('openaiCompatible.model', 'test-model');
  });
  after(async () => {
    await setSetting('openaiCompatible.baseUrl', undefined);
    await setSetting('openaiCompatible.model', undefined);
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    count = 0;
    await api.parts.current.startNew();
  });

  const model = async (name: string) => {
    const found = await api.parts.models.find(`openai-compatible:${name}`);
    assert.ok(found);
    return found;
  };
  const question = async (): Promise<string> => {
    const [first] = await api.parts.conversations.path();
    assert.ok(first);
    return first.id;
  };
  const alternatives = async (): Promise<AlternativesView['alternatives']> => {
    const { current } = api.parts;
    return (await readAlternatives(api.parts, await current.chatId(), await question()))?.alternatives ?? [];
  };

  it('are written at once, each on a branch of its own, while one stays where one is', async () => {
    await ask(api, 'one');
    const { runs } = await api.parts.conversations.tryTimes(await question(), [
      { model: await model('test-model'), temperature: 0.2 },
      { model: await model('other-model'), temperature: undefined },
    ]);
    await Promise.all(runs.map(({ done }) => done));
    const shown = await alternatives();
    assert.deepEqual(
      shown.map(({ branch, isActive, messages }) => [
        branch,
        isActive,
        messages[0]?.model?.label,
        messages[0]?.model?.temperature,
      ]),
      [
        ['main', true, 'test-model', undefined],
        ['main-v2', false, 'test-model', 0.2],
        ['main-v3', false, 'other-model', undefined],
      ],
    );
    // They leave side by side, so they arrive in any order.
    const asked = server.requests.slice(-2).map(({ body }) => [body.model, body['temperature']] as const);
    assert.deepEqual(Object.fromEntries(asked), { 'test-model': 0.2, 'other-model': undefined });
    assert.ok(shown.every(({ duration, usage }) => duration !== undefined && usage?.inputTokens === 10));
    assert.deepEqual(await messageText(api), ['one', 'answer 1 of test-model']);
    assert.deepEqual(await api.parts.sideQuestions.read(await api.parts.current.chatId(), [], new Set()), []);
  });

  it('do not disturb each other when one fails, and can be stopped one by one', async () => {
    const first = await api.parts.conversations.ask('slow');
    await server.pauseReached('slow');
    const { runs } = await api.parts.conversations.tryTimes(await question(), [
      { model: await model('other-model'), temperature: undefined },
      { model: await model('broken-model'), temperature: undefined },
    ]);
    const [slow, broken] = runs;
    assert.ok(slow && broken);
    await broken.done;
    await untilChanged(api, () => slow.message().parts.length > 0);
    assert.deepEqual(
      (await alternatives()).map(({ messages }) => messages.at(-1)?.status),
      ['streaming', 'streaming', 'failed'],
    );
    await api.parts.conversations.stop(slow.branch);
    assert.equal(first.status, 'streaming');
    server.release('slow');
    server.release('slow');
    await first.done;
    const ends = (await alternatives()).map(({ messages }) => messages.at(-1)?.status);
    assert.deepEqual(ends, ['complete', 'interrupted', 'failed']);
  });

  it('show no answer whose branch is archived, and say where one goes on', async () => {
    await ask(api, 'one');
    const current = await api.parts.current.chatId();
    await vscode.commands.executeCommand('offshoot.regenerate', {});
    await untilChanged(api, async () => (await alternatives()).length === 2);
    await untilChanged(api, () => api.parts.runs.list(current).length === 0);
    await ask(api, 'and then?');
    const two = await alternatives();
    assert.deepEqual(
      two.map(({ goesOn, messages }) => [goesOn, messages.length]),
      [
        [false, 1],
        [true, 1],
      ],
    );
    await api.parts.conversations.archiveBranches([{ chatId: current, name: 'main' }]);
    assert.deepEqual(
      (await alternatives()).map(({ branch }) => branch),
      ['main-v2'],
    );
  });

  it('are on a page that may choose one, and do nothing that only the chat may', async () => {
    await ask(api, 'one');
    const place = { chatId: await api.parts.current.chatId(), questionId: await question() };
    const warnings: string[] = [];
    using page = openAlternatives(api, place);
    const { log } = api.parts;
    const warn = log.warn.bind(log);
    log.warn = (message: string) => void warnings.push(message);
    try {
      page.say({ type: 'sendMessage', place, text: 'secret words' });
      page.say({ type: 'askSideQuestion', place, text: 'secret words' });
      page.say({ type: 'switchBranch', place, branch: 'main' });
      page.say({ type: 'runCommand', command: 'newChat' });
      page.say({ type: 'runCommandHere', place, command: 'rewind' });
      page.say({ type: 'request', messageId: 1, body: { type: 'listPrompts' } });
      page.say({ type: 'keepAlternative', place, branch: 'main' });
      await until(() => page.kept.length > 0, 'the answer to be chosen');
    } finally {
      log.warn = warn;
    }
    assert.deepEqual(page.kept, ['main']);
    const refused = warnings.filter((warning) => warning.startsWith('The page of answers'));
    assert.equal(refused.length, 6);
    assert.ok(!refused.join().includes('secret words'));
    assert.deepEqual(
      page.posted.map(({ type }) => type),
      ['requestRefused'],
    );
    assert.deepEqual(await messageText(api), ['one', 'answer 1 of test-model']);
  });

  it('take a temperature only within its limits', () => {
    const read = ['', ' ', '0', '1', '0.7', '0,7', '.5', '2', '2.1', '-1', '1e0', 'warm', '１'].map((text) =>
      readTemperature(text, 2),
    );
    const no = undefined;
    assert.deepEqual(read, ['own', 'own', 0, 1, 0.7, 0.7, 0.5, 2, no, no, no, no, no]);
    assert.equal(readTemperature('1.5', 1), undefined);
  });
});
