import assert from 'node:assert/strict';
import {
  Approvals,
  DeniedError,
  WRITE,
  type ApprovalChoice,
  type ApprovalRequest,
} from '../../../src/agent/tools/approvals.ts';
import { hostRequest, pageRequest } from '../../../src/agent/tools/web/webLeave.ts';
import { MemoryAllowances } from '../../worlds/writingWorld.ts';

const command = { text: 'x', folder: 'work' };
const page = { url: 'https://a.example/', host: 'a.example', isReadable: false, isLong: false };
const preview = { shown: 'a', uri: 'file:///a', before: null, after: '' };

/** What is asked for each time, whatever was allowed before. */
const eachTime: Readonly<Record<string, ApprovalRequest>> = {
  'a file that runs programs': { kind: WRITE, protection: 'runs-programs', preview },
  'a file that instructs agents': { kind: WRITE, protection: 'instructs-agents', preview },
  'a file with credentials': { kind: WRITE, protection: 'credentials', preview },
  'a setting of the editor': { kind: WRITE, protection: 'editor-settings', preview },
  'a repository': { kind: WRITE, protection: 'repository', preview },
  'a read-only file': { kind: WRITE, isReadOnly: true, preview },
  'a command that is not plain': { kind: 'command', command: { ...command, eachTime: 'not-plain' } },
  'a command that runs others': { kind: 'command', command: { ...command, eachTime: 'runs-others' } },
  'a command that writes elsewhere': {
    kind: 'command',
    command: { ...command, eachTime: 'writes-protected' },
  },
  'a command that reads a secret': { kind: 'command', command: { ...command, eachTime: 'reads-secret' } },
  'a command with a download': { kind: 'command', command: { ...command, eachTime: 'runs-download' } },
  'a long address': { kind: 'page:a.example', page: { ...page, isLong: true } },
};

const ordinary: Readonly<Record<string, ApprovalRequest>> = {
  'a write': { kind: WRITE, preview },
  'a command': { kind: 'command:["x"]:', family: 'command:["x"]', command },
  'a page': pageRequest(new URL('https://a.example/')),
  'a host for commands': hostRequest(new URL('https://a.example')),
  'a tool': { kind: 'tool:["x"]:abc', family: 'tool:["x"]' },
};

const secret: ApprovalRequest = { kind: 'read:secret', reads: '.env' };

class Asked {
  readonly memory = new MemoryAllowances();
  readonly approvals = new Approvals(this.memory);
  readonly ids: string[] = [];

  ask(request: ApprovalRequest, chatId = 'chat', signal = new AbortController().signal): Promise<unknown> {
    const asked = this.approvals.ask(request, {
      chatId,
      toolName: 'x',
      signal,
      onAsked: (id) => this.ids.push(id),
    });
    asked.catch(() => undefined);
    return asked;
  }

  async answered(request: ApprovalRequest, choice: ApprovalChoice, chatId = 'chat'): Promise<void> {
    const before = this.ids.length;
    const asked = this.ask(request, chatId);
    const id = this.ids[before];
    if (id !== undefined) this.approvals.answer(id, choice);
    await asked;
  }
}

describe('attack: what was allowed for longer', () => {
  for (const [what, request] of Object.entries(eachTime)) {
    for (const choice of ['once', 'chat', 'workspace'] as const) {
      it(`never covers ${what}, though “${choice}” was answered`, async () => {
        const asked = new Asked();
        await asked.answered(request, choice);
        await asked.answered({ kind: request.kind, preview }, 'workspace');
        assert.equal(asked.approvals.isAllowed(request, 'chat'), false);
        const count = asked.ids.length;
        void asked.ask(request);
        assert.equal(asked.ids.length, count + 1, 'it is asked again');
      });
    }
  }

  for (const [what, request] of Object.entries(ordinary)) {
    it(`of ${what} in a chat covers no other chat, be it imported, copied or of a task`, async () => {
      const asked = new Asked();
      await asked.answered(request, 'chat');
      assert.equal(asked.approvals.isAllowed(request, 'chat'), true);
      for (const other of ['', 'chat ', 'Chat', 'chat:task', 'chat"', '["chat"', 'imported']) {
        assert.equal(asked.approvals.isAllowed(request, other), false, other);
      }
    });

    it(`of ${what} once covers nothing after that`, async () => {
      const asked = new Asked();
      await asked.answered(request, 'once');
      assert.equal(asked.approvals.isAllowed(request, 'chat'), false);
      assert.equal(asked.approvals.hasAny(), false);
    });

    it(`of ${what} is gone once it is reset, and with the window where it was for a chat`, async () => {
      const asked = new Asked();
      await asked.answered(request, 'chat');
      await asked.answered(request, 'workspace', 'another');
      assert.equal(new Approvals(new MemoryAllowances()).isAllowed(request, 'chat'), false);
      await asked.approvals.reset();
      for (const chat of ['chat', 'another']) assert.equal(asked.approvals.isAllowed(request, chat), false);
    });

    for (const [other, another] of Object.entries(ordinary)) {
      if (other === what) continue;
      it(`of ${what} covers not ${other}`, async () => {
        const asked = new Asked();
        await asked.answered(request, 'workspace');
        assert.equal(asked.approvals.isAllowed(another, 'chat'), false);
      });
    }
  }

  it('of a secret file is of that chat alone, even where “workspace” was answered', async () => {
    const asked = new Asked();
    await asked.answered(secret, 'workspace');
    assert.equal(asked.approvals.isAllowed(secret, 'chat'), true);
    assert.equal(asked.approvals.isAllowed(secret, 'other'), false);
    assert.deepEqual(asked.memory.list(), []);
  });
});

describe('attack: an answer to a question for leave', () => {
  for (const [what, request] of Object.entries({ ...ordinary, ...eachTime, 'a secret': secret })) {
    it(`to ${what} before it was asked comes to nothing`, () => {
      const asked = new Asked();
      for (const id of ['', 'undefined', '0', '__proto__', 'constructor', crypto.randomUUID()]) {
        assert.equal(asked.approvals.answer(id, 'workspace'), false, id);
      }
      void asked.ask(request);
      assert.equal(asked.approvals.list().length, 1);
      assert.equal(asked.approvals.isAllowed(request, 'chat'), false);
    });

    it(`to ${what} counts once: what is answered after a denial comes too late`, async () => {
      const asked = new Asked();
      const pending = asked.ask(request);
      const [id = ''] = asked.ids;
      asked.approvals.answer(id, 'deny');
      asked.approvals.answer(id, 'workspace');
      await assert.rejects(pending, DeniedError);
      assert.equal(asked.approvals.isAllowed(request, 'chat'), false);
      assert.equal(asked.approvals.answer(id, 'workspace'), false, 'nobody asks any more');
    });

    it(`to ${what} is for that question, not for one that came in its place`, async () => {
      const asked = new Asked();
      const stopped = new AbortController();
      const first = asked.ask(request, 'chat', stopped.signal);
      stopped.abort();
      await assert.rejects(first, { name: 'AbortError' });
      void asked.ask(request);
      const [gone = '', present = ''] = asked.ids;
      assert.notEqual(gone, present);
      assert.equal(asked.approvals.answer(gone, 'once'), false);
      assert.deepEqual(
        asked.approvals.list().map(({ id }) => id),
        [present],
      );
    });

    it(`to ${what} is not taken where the run was stopped before`, async () => {
      const asked = new Asked();
      await assert.rejects(asked.ask(request, 'chat', AbortSignal.abort()), { name: 'AbortError' });
      assert.deepEqual(asked.ids, []);
    });
  }
});
