import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ConversationReader } from '../../src/extension/chat/conversationReader.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import type { ConversationView } from '../../src/protocol/chatFromHost.ts';
import type { MessageView } from '../../src/protocol/views.ts';
import {
  answer,
  conversationOf,
  lastQuestion,
  pause,
  useTools,
  type RecordedRequest,
} from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, messageText, offshoot, setSetting, untilChanged, useModelServer } from './support.ts';

const PLACE = 'compaction-test';
/** How many files a question has read, one after the other. */
const FILES = 16;

const isSummaryRequest = (request: RecordedRequest): boolean =>
  lastQuestion(request).startsWith('Summarize this part');

describe('a conversation that is compacted automatically in the extension host', () => {
  let api: Offshoot;
  let count = 0;
  let isHeld = false;
  const files = new FolderFiles(PLACE);
  const server = useModelServer((request) => {
    if (isSummaryRequest(request)) {
      const gist = answer('## Files\n\n- all of them say **word**');
      if (!isHeld) return gist;
      isHeld = false;
      return [pause('summary'), ...gist];
    }
    const asked = conversationOf(request).findLast(({ role }) => role === 'user')?.text ?? '';
    if (!asked.includes('Read all files') || count === FILES) return answer(`You said ${asked.slice(-20)}`);
    count += 1;
    return useTools(['read_file', { path: `${PLACE}/file-${count}.txt` }]);
  });

  before(async () => {
    api = await offshoot();
    await setSetting('modelOverrides', { 'openai-compatible/test-model': { contextWindow: 12_000 } });
    for (let number = 1; number <= FILES; number += 1) {
      await files.write(`file-${number}.txt`, `${number}\n${'word '.repeat(900)}\n`);
    }
  });
  beforeEach(async () => {
    count = 0;
    await api.parts.current.startNew();
  });
  after(async () => {
    await setSetting('modelOverrides', undefined);
    await files.remove();
  });

  const read = (): Promise<ConversationView> => new ConversationReader(api.parts).read();
  const summariesIn = ({ messages }: ConversationView): MessageView[] =>
    messages.filter(({ report }) => report?.kind === 'compacted');
  /** How many messages the last request for an answer held. */
  const lastLength = (): number =>
    server().requests.findLast((request) => !isSummaryRequest(request))?.body.messages.length ?? 0;

  it('goes through two summaries in one run, says so while they are written, and goes on from the last', async () => {
    isHeld = true;
    const run = await api.parts.conversations.ask('Read all files');
    await server().pauseReached('summary');
    await untilChanged(api, () => run.compacting !== undefined);
    assert.equal((await read()).running?.waiting, 'Compacting the conversation…');
    server().release('summary');
    await run.done;
    const view = await read();
    const summaries = summariesIn(view);
    assert.ok(summaries.length >= 2, `${summaries.length} summaries`);
    const last = summaries.at(-1) ?? assert.fail();
    // The later one covers the earlier.
    const place = (id: string | undefined): number => view.messages.findIndex((each) => each.id === id);
    assert.equal(view.compaction?.messageId, last.id);
    assert.ok(place(view.compaction.until) >= place(summaries.at(-2)?.id));
    assert.deepEqual(view.compaction.kept, [view.messages[0]?.id], 'the question is still sent');
    assert.match(JSON.stringify(last.parts), /all of them say/);
    const { tokens, window } = await api.parts.context.read();
    assert.ok(window !== undefined && tokens < window * 0.85, `${tokens} of ${window}`);
    const before = lastLength();
    await ask(api, 'And now?');
    assert.equal((await messageText(api)).at(-1), 'You said And now?');
    assert.ok(lastLength() <= before + 2, `${lastLength()} after ${before}`);
  });

  it('is whole before the summary, and short after it', async () => {
    const { conversations } = api.parts;
    await ask(api, 'Read all files');
    const { compaction, messages } = await read();
    const rewindTo = (messageId: string | undefined) =>
      vscode.commands.executeCommand('offshoot.rewindToHere', { messageId });
    await rewindTo(messages[0]?.id);
    assert.equal((await read()).compaction, undefined);
    await conversations.switchBranch('main');
    assert.deepEqual((await read()).compaction, compaction);
    await rewindTo(compaction?.messageId);
    const rewound = await read();
    assert.equal(rewound.messages.at(-1)?.id, compaction?.messageId);
    assert.deepEqual(rewound.compaction, compaction);
  });

  it('has the earlier summary again with Undo, and is compacted further by the command, with what to keep', async () => {
    await ask(api, 'Read all files');
    await ask(api, 'And now?');
    const shown = await read();
    await vscode.commands.executeCommand('offshoot.undoCompaction', {
      messageId: shown.compaction?.messageId,
    });
    const undone = await read();
    assert.ok(undone.compaction, 'the earlier one is in force');
    assert.equal(summariesIn(undone).length, summariesIn(shown).length - 1);
    assert.equal((await messageText(api)).at(-1), 'You said And now?');
    const argument = { instructions: 'the file names', continues: false };
    await vscode.commands.executeCommand('offshoot.compact', argument);
    const request = server().requests.findLast(isSummaryRequest);
    assert.match(JSON.stringify(request?.body.messages[0]?.content), /kept above all: the file names/);
    const { compaction } = await read();
    assert.ok(compaction && compaction.count > undone.compaction.count);
  });
});
