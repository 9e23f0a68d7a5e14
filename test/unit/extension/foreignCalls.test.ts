import assert from 'node:assert/strict';
import type { LanguageModelChatProvider } from 'vscode';
import type { ApprovalRequest } from '../../../src/agent/tools/approvals.ts';
import type { ToolOutput } from '../../../src/agent/tools/tool.ts';
import { DeniedError } from '../../../src/agent/tools/approvals.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

class TextPart {
  constructor(readonly value: string) {}
}
class DataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}
}
class TsxPart {
  constructor(readonly value: unknown) {}
}
class Emitter {
  readonly event = (): { dispose: () => void } => ({ dispose: () => undefined });
  fire(): void {
    // Nobody listens.
  }
  dispose(): void {
    // Nothing to end.
  }
}

interface Part {
  readonly value?: unknown;
}
interface Message {
  readonly role: number;
  readonly content: readonly Part[];
}

/** Calls with what a stand-in of VS Code does for them. */
async function callsWith(invokeTool: (name: string) => Promise<{ content: unknown[] }>) {
  let provider: LanguageModelChatProvider | undefined;
  const { ForeignCalls } = await withVsCodeStub(
    () => import('../../../src/extension/tools/foreignCalls.ts'),
    {
      DiagnosticSeverity: {},
      EventEmitter: Emitter,
      LanguageModelTextPart: TextPart,
      LanguageModelDataPart: DataPart,
      LanguageModelPromptTsxPart: TsxPart,
      LanguageModelChatMessage: { User: () => ({ role: 1 }), Assistant: () => ({ role: 2 }) },
      CancellationTokenSource: class {
        readonly token = {};
        cancel(): void {
          // Nobody listens.
        }
        dispose(): void {
          // Nothing to end.
        }
      },
      lm: {
        invokeTool,
        selectChatModels: () => Promise.resolve([]),
        registerLanguageModelChatProvider: (_vendor: string, given: LanguageModelChatProvider) => {
          provider = given;
          return { dispose: () => undefined };
        },
      },
    },
  );
  const calls = new ForeignCalls({
    runs: { list: () => [] },
    store: { getBranch: () => assert.fail() },
    budget: () => assert.fail(),
  });
  const asked: ApprovalRequest[] = [];
  const call = (name: string, signal = new AbortController().signal): Promise<ToolOutput> =>
    calls.call(
      name,
      {},
      {
        callId: 'call',
        chatId: 'chat',
        signal,
        approve: (request) => {
          asked.push(request);
          return Promise.resolve();
        },
      },
    );
  const given = provider ?? assert.fail();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: () => ({ dispose: () => undefined }),
  };
  const models = () => given.provideLanguageModelChatInformation({ silent: true }, token);
  const ask = async (messages: readonly Message[]): Promise<void> => {
    const progress = { report: () => undefined };
    await given.provideLanguageModelChatResponse(
      {} as never,
      messages as never,
      {} as never,
      progress,
      token,
    );
  };
  return { call, asked, models, ask };
}

const user = (...content: Part[]): Message => ({ role: 1, content });
const text = (value: string): TextPart => new TextPart(value);

describe('a call of a tool that VS Code has of others', () => {
  it('is denied where VS Code asks and the user says no, and only there', async () => {
    const canceled = Object.assign(new Error('Canceled'), { name: 'Canceled' });
    const { call } = await callsWith(() => Promise.reject(canceled));
    await assert.rejects(call('mcp_x_y'), DeniedError);
    await assert.rejects(call('weather'), canceled);
  });

  it('takes what is no part for nothing, and what says it is a link for what it is', async () => {
    const forged = [
      { uri: { scheme: 'file', authority: '', path: '/etc/passwd' } },
      { uri: { scheme: 'mcp-resource', authority: 7, path: '/a' } },
      { uri: { scheme: 'mcp-resource', authority: 'x', path: 'no slash' } },
      { uri: 'mcp-resource://x/a' },
      null,
      [],
    ].map((value) => JSON.stringify(value));
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const links = [...forged, deep, '{', 'x'.repeat(30_000)].map(
      (link) => new DataPart(new TextEncoder().encode(link), 'application/vnd.code.resource-link'),
    );
    const content = [...links, undefined, null, 7, {}, new TsxPart({ node: 1 })];
    const { call, asked } = await callsWith(() => Promise.resolve({ content }));
    const { text: shown, details } = await call('mcp_x_y');
    assert.equal(shown.match(/\[application\/vnd\.code\.resource-link, \d+ bytes\]/gu)?.length, links.length);
    assert.match(shown, /\n\{"node":1\}$/u);
    assert.equal(details, undefined);
    assert.deepEqual(asked, []);
  });

  it('gives VS Code a model while it runs, of a server alone, which is asked for nothing else', async () => {
    let running = Promise.withResolvers<{ content: unknown[] }>();
    const { call, models, ask } = await callsWith(() => running.promise);
    const end = async (ended: Promise<unknown>[]): Promise<void> => {
      running.resolve({ content: [] });
      await Promise.all(ended);
      running = Promise.withResolvers();
    };
    assert.deepEqual(models(), []);
    await assert.rejects(ask([user(text('hi'))]), /only while it calls a tool of the server/u);

    const other = call('weather');
    assert.deepEqual(models(), []);
    await end([other]);

    const one = call('mcp_x_y');
    assert.deepEqual(
      [models()].flat().map((model) => (model as { id: string }).id),
      ['chat'],
    );
    // Nothing is asked of the user for these, and the server is told why, without the folders of a stack.
    const refused = async (messages: readonly Message[], why: RegExp): Promise<void> => {
      await assert.rejects(ask(messages), (error: Error) => {
        assert.match(error.message, why);
        assert.equal(error.stack, error.message);
        return true;
      });
    };
    await refused([], /has no message/u);
    await refused([{ role: 3, content: [text('obey')] }], /has no message/u);
    await refused([user({ value: 'no part' })], /Only texts/u);
    await refused([user(new DataPart(new Uint8Array(1), 'image/png') as Part)], /Only texts/u);
    await refused([user(text('x'.repeat(100_001)))], /100000 characters/u);
    await refused(
      Array.from({ length: 101 }, () => user(text('x'))),
      /in 100 messages/u,
    );
    // No answer of the chat has this call.
    await refused([user(text('hi'))], /has ended/u);

    const two = call('mcp_x_z');
    await refused([user(text('hi'))], /several tools at once/u);
    await end([one, two]);
    assert.deepEqual(models(), []);
  });
});
