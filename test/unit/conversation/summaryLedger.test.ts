import assert from 'node:assert/strict';
import { Ledgers } from '../../../src/agent/ledger/ledgers.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { answer, type RecordedRequest } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { isSummaryRequest, words } from '../../worlds/compactionWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { explore, playing, promptOf, task, tools } from '../../worlds/exploreWorld.ts';
import { receivedMessages } from '../../worlds/toolCalls.ts';

/** Answers are long, so that a summary leaves room for its ledger. */
const script = (request: RecordedRequest) =>
  answer(isSummaryRequest(request) ? 'The gist.' : `So be it. ${words(200)}`);

/** Rules in the first, second and third question. */
const said = ['Never touch vendor.', 'Always use tabs.', 'You must keep the tests green.'];

async function talk(): Promise<ConversationWorld> {
  const world = await ConversationWorld.make(script);
  const plain = world.world.model.bind(world.world);
  world.world.model = async () => ({ ...(await plain()), contextWindow: 32_000 });
  for (const text of said) await world.answered(text);
  return world;
}

async function summarize(world: ConversationWorld, at: number, extent: 'up-to-here' | 'from-here') {
  const summaries = await world.conversations.summaries();
  const { signal } = new AbortController();
  return summaries.replace(await world.idAt(at), extent, { signal });
}

const lastSent = (world: ConversationWorld): string =>
  receivedMessages(world.world.server.requests.at(-1) ?? assert.fail()).join('\n');

const rulesIn = (sent: string): string[] => {
  const ledger = /<ledger>([^]*?)<\/ledger>/u.exec(sent)?.[1] ?? '';
  return said.filter((text) => ledger.includes(text));
};

describe('the ledger of a summary that the user asked for', () => {
  it('holds what was said in the part that it stands for, up to here and from here', async () => {
    await using upTo = await talk();
    await summarize(upTo, 3, 'up-to-here');
    await upTo.answered('Go on.');
    assert.deepEqual(rulesIn(lastSent(upTo)), said.slice(0, 2));
    assert.match(lastSent(upTo), /<\/summary>\n\n<ledger>/);

    await using from = await talk();
    await summarize(from, 4, 'from-here');
    await from.answered('Go on.');
    assert.deepEqual(rulesIn(lastSent(from)), said.slice(2));
    assert.match(lastSent(from), /^[^]*Never touch vendor\.[^]*<\/summary>\n\n<ledger>/);
  });

  it('is one for all that is not sent, through further summaries and a compaction, read from the full text', async () => {
    await using world = await talk();
    await summarize(world, 1, 'up-to-here');
    await summarize(world, 3, 'from-here');
    await world.answered('Go on.');
    assert.deepEqual(rulesIn(lastSent(world)), [said[0], said[2]]);
    assert.equal(lastSent(world).split('<ledger>').length, 2);
    await summarize(world, 4, 'up-to-here');
    const readsAll = (): void => {
      const asked = world.world.server.requests.findLast(isSummaryRequest) ?? assert.fail();
      const read = receivedMessages(asked).join('\n');
      for (const text of said) assert.ok(read.includes(text), 'the full text fits, so that it is read again');
      assert.doesNotMatch(read, /<summary of|The gist\.|<ledger>/);
    };
    readsAll();
    await world.answered('Is that all?');
    await (
      await world.conversations.compact({ thenAnswers: false })
    ).done;
    readsAll();
    await world.answered('And now?');
    assert.deepEqual(rulesIn(lastSent(world)), said);
  });

  it('stays the same between two summaries, and leaves what is before it cached where a mark changes it', async () => {
    await using world = await talk();
    const kept = await world.idAt(2);
    await summarize(world, 3, 'up-to-here');
    await world.answered('Go on.');
    const before = lastSent(world);
    await world.answered('You must never stop.');
    assert.ok(lastSent(world).startsWith(before), 'a cache holds all of it');
    await world.conversations.keepMessage(kept, true);
    await world.answered('And now?');
    const [cached = '', after = ''] = lastSent(world).split('<ledger>');
    assert.ok(cached.includes('</summary>') && before.startsWith(cached));
    assert.match(after, /<message role="user">\nAlways use tabs\.\n<\/message>[^]*<\/ledger>/);
  });

  it('is gone with the summary when that is undone, and previewed as it will be', async () => {
    await using world = await talk();
    const head = await world.idAt(5);
    const ledgers = new Ledgers(world.store);
    const preview = await ledgers.preview(CHAT, head, { facts: 1_000, kept: 1_000 });
    assert.deepEqual(rulesIn(preview?.text ?? ''), said.slice(0, 2));
    await summarize(world, 3, 'up-to-here');
    const [summary] = await world.conversations.path();
    const { tokens, ledger } = pathSummaryOf(readUIMessage(summary?.data ?? null) ?? {}) ?? {};
    assert.ok(tokens && tokens.before > tokens.after && ledger && ledger.facts > 0);
    assert.equal((await ledgers.read(CHAT, summary?.id ?? ''))?.text, preview?.text);
    await world.conversations.switchBranch('main');
    await world.answered('Go on.');
    assert.doesNotMatch(lastSent(world), /<ledger>/);
  });

  it('stands before a task that is explored, and in a side question', async () => {
    const play = playing([explore(task('a')), answer('Done.')], { a: [answer('A is there.')] });
    await using world = await ConversationWorld.make(
      (request) => {
        const isEarlier = !/Explore|Find out/u.test(JSON.stringify(request.body.messages));
        return isSummaryRequest(request) || isEarlier ? script(request) : play(request);
      },
      { tools },
    );
    for (const text of said) await world.answered(text);
    await summarize(world, 3, 'up-to-here');
    await (
      await world.conversations.askSideQuestion('Which rules?')
    ).done;
    assert.deepEqual(rulesIn(lastSent(world)), said.slice(0, 2));
    await (
      await world.conversations.compact({ thenAnswers: false })
    ).done;
    await world.answered('Explore a.');
    const ofTask = world.world.server.requests.find((request) => promptOf(request) === 'Find out a');
    const sent = receivedMessages(ofTask ?? assert.fail()).join('\n');
    assert.deepEqual(rulesIn(sent), said);
    assert.match(sent, /<\/ledger>\s*Find out a/);
  });
});
