import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { attachUris } from '../../src/extension/context/attachUris.ts';
import { openLink } from '../../src/extension/pages/openLink.ts';
import type { PendingApproval } from '../../src/agent/tools/approvals.ts';
import { resourcesOf } from '../../src/agent/tools/foreignResource.ts';
import { serverOf } from '../../src/agent/tools/resourceAddress.ts';
import { toolCallsIn } from '../../src/models/messages/toolParts.ts';
import { toolFilesOf } from '../../src/models/messages/toolFiles.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { answer, toolResultsOf, useTools, type Reply } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, setSetting, useModelServer } from './support.ts';

const MCP_FILE = '.vscode/mcp.json';
const SERVER = 'every-kind';

describe('tools of an MCP server that VS Code runs', () => {
  let api: Offshoot;
  let replies: Reply[] = [];
  const folder = new FolderFiles();
  const model = useModelServer(() => replies.shift() ?? answer('done'));
  const asked: PendingApproval[] = [];
  let denies = (_approval: PendingApproval): boolean => false;
  let asking: { dispose: () => void } | undefined;

  const nameOf = (tool: string): string | undefined =>
    vscode.lm.tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(`_${tool}`))?.name;
  const callsOf = (...tools: string[]): Reply =>
    useTools(...tools.map((tool) => [nameOf(tool) ?? assert.fail(tool), {}] as [string, object]));
  const resultsOf = async (...tools: string[]): Promise<string[]> => {
    replies = [callsOf(...tools), answer('done')];
    await ask(api, 'go');
    const last = model().requests.at(-1) ?? assert.fail();
    // Those of earlier questions are sent as well.
    return toolResultsOf(last)
      .slice(-tools.length)
      .map(({ result }) => result);
  };
  const lastCall = async () => {
    const messages = (await api.parts.conversations.path()).flatMap(({ data }) => readUIMessage(data) ?? []);
    return messages.flatMap((message) => toolCallsIn(message)).at(-1) ?? assert.fail();
  };

  before(async () => {
    api = await offshoot();
    const command = process.execPath;
    // `__dirname` is where the bundle of this test is.
    const program = path.join(__dirname, '..', 'fixtures', 'mcp', 'everyKind.child.cjs');
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    await folder.write(
      MCP_FILE,
      JSON.stringify({ servers: { [SERVER]: { command, args: [program], env } } }),
    );
    await until(async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', `mcp.config.ws0.${SERVER}`);
      return nameOf('kinds') !== undefined;
    }, 'the tools of the server');
    asking = api.parts.approvals.onDidChange(() => {
      for (const approval of api.parts.approvals.list()) {
        asked.push(approval);
        api.parts.approvals.answer(approval.id, denies(approval) ? 'deny' : 'once');
      }
    });
  });
  beforeEach(async () => {
    asked.splice(0);
    denies = () => false;
    await api.parts.current.startNew();
  });
  after(async () => {
    asking?.dispose();
    await vscode.commands.executeCommand('workbench.mcp.stopServer', `mcp.config.ws0.${SERVER}`);
    await vscode.workspace.fs.delete(folder.uri('.vscode'), { recursive: true });
    await until(() => nameOf('kinds') === undefined, 'the tools to be gone');
  });

  it('give the model texts, pictures and resources, and name what is none of these', async () => {
    const [result = ''] = await resultsOf('kinds');
    assert.match(result, /^Plain /u);
    assert.match(
      result,
      /\n\[audio\/wav, 5 bytes\]\nResource notes:\/\/field\/herons\.md:\n# Herons\nThey nest/u,
    );
    assert.match(result, /\nResource notes:\/\/field\/call\.wav:\n\[audio\/wav, 5 bytes\]/u);
    assert.match(result, /\n\[Resource notes:\/\/field\/gone\.md was not read: [^\n]*There is no notes:/u);
    // A server cannot have files read, by naming them as only VS Code does.
    assert.match(result, /\n\[application\/vnd\.code\.resource-link, \d+ bytes\]$/u);
    const part = await lastCall();
    assert.ok(part.state === 'output-available');
    assert.deepEqual(
      toolFilesOf(part).map(({ mediaType }) => mediaType),
      ['image/png'],
    );
    const resources = resourcesOf(part.output);
    assert.equal(resources.length, 3);
    assert.equal(serverOf(resources[0]?.uri ?? ''), `mcp.config.ws0.${SERVER}`);
    // The user is asked for the tool, and for each resource unless the server is allowed for longer.
    assert.deepEqual(
      asked.map(({ resource }) => resource?.address),
      [undefined, 'notes://field/herons.md', 'notes://field/call.wav', 'notes://field/gone.md'],
    );
  });

  it('have no resource read that the user denies', async () => {
    denies = ({ resource }) => resource !== undefined;
    const [before = ''] = await resultsOf('seen');
    const [result = ''] = await resultsOf('kinds');
    assert.match(
      result,
      /\[Resource notes:\/\/field\/herons\.md was not read: The user did not allow this\./u,
    );
    assert.doesNotMatch(result, /They nest/u);
    const [after = ''] = await resultsOf('seen');
    assert.equal(after, before);
  });

  it('give all of what is structured', async () => {
    const [result = ''] = await resultsOf('structured');
    const { birds } = JSON.parse(result) as { birds: object[] };
    assert.deepEqual([birds.length, birds.at(-1)], [500, { at: 499, name: 'heron' }]);
  });

  it('know the open folders', async () => {
    const [result = ''] = await resultsOf('roots');
    assert.ok(result.includes(folder.folder.uri.path), result);
  });

  it('are told when the user stops the answer', async () => {
    const count = async (): Promise<{ cancelled: number; started: number }> => {
      const { content } = await vscode.lm.invokeTool(nameOf('seen') ?? assert.fail(), {
        input: {},
        toolInvocationToken: undefined,
      });
      const [part] = content;
      assert.ok(part instanceof vscode.LanguageModelTextPart);
      return JSON.parse(part.value) as { cancelled: number; started: number };
    };
    const before = await count();
    replies = [callsOf('slow')];
    const run = await api.parts.conversations.ask('wait');
    await until(async () => (await count()).started > before.started, 'the call');
    await api.parts.runs.stop(run.chatId, run.branch);
    await until(async () => (await count()).cancelled > before.cancelled, 'the server to be told');
    assert.equal((await lastCall()).state, 'output-error');
  });

  it('have a question answered by the model of the chat, which the user allows and the budget counts', async () => {
    const sampling = vscode.workspace.getConfiguration('chat.mcp');
    const allowed = Object.fromEntries(
      labels(folder.folder.name).map((label) => [
        `${label}: ${SERVER}`,
        { allowedDuringChat: true, allowedModels: ['offshoot/chat'] },
      ]),
    );
    await sampling.update('serverSampling', allowed, vscode.ConfigurationTarget.Workspace);
    await setSetting('budget', { perChat: { tokens: 1_000_000 } });
    try {
      replies = [callsOf('ask_model'), answer('A bittern.'), answer('done')];
      await ask(api, 'go');
      const [, own, last] = model().requests.slice(-3);
      assert.deepEqual(
        own?.body.messages.map(({ role }) => role),
        ['system', 'user'],
      );
      assert.equal(own.body.tools, undefined);
      const { result } = toolResultsOf(last ?? assert.fail())[0] ?? assert.fail();
      assert.match(result, /A bittern\./u);
      assert.deepEqual(
        asked.map(({ kind }) => kind.replace(/:.*/u, '')),
        ['tool', 'requests'],
      );
      assert.equal(asked[1]?.modelRequest?.text, 'You name birds.\n\nWhich bird nests in reeds?');
      const chatId = await api.parts.current.chatId();
      const [cap] = await (await api.parts.budget()).left({ chatId });
      assert.ok((cap?.spent.tokens ?? 0) > 0);

      denies = ({ modelRequest }) => modelRequest !== undefined;
      const before = model().requests.length;
      const [refused = ''] = await resultsOf('ask_model');
      assert.match(refused, /did not allow/u);
      assert.equal(model().requests.length, before + 2);
    } finally {
      await setSetting('budget', undefined);
      await sampling.update('serverSampling', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('have their resources offered to the chat while an editor shows them, and attached as text', async () => {
    await resultsOf('kinds');
    const part = await lastCall();
    assert.ok(part.state === 'output-available');
    const [herons, sound] = resourcesOf(part.output);
    assert.ok(herons && sound);
    // As the link in the row of the call does.
    await openLink(api.parts.guarded, herons.uri);
    const { lastEditor } = api.parts;
    const shown = await until(() => {
      const { now } = lastEditor;
      return now?.name === herons.name ? now : undefined;
    }, 'the resource in the line of the editor');
    const text = '# Herons\nThey nest in reed beds.';
    const expected = { type: 'context', of: 'text', name: 'notes://field/herons.md', text };
    assert.deepEqual(await lastEditor.attachment({ name: shown.name }, { isByHand: true }), expected);
    const attached: unknown[] = [];
    const chat = {
      focus: ({ attachments = [] }: { attachments?: readonly unknown[] }) => {
        attached.push(...attachments);
        return Promise.resolve();
      },
    };
    await attachUris(api.parts, chat as never, [vscode.Uri.parse(herons.uri, true)]);
    await assert.rejects(
      attachUris(api.parts, chat as never, [vscode.Uri.parse(sound.uri, true)]),
      /has no text to attach/u,
    );
    assert.deepEqual(attached, [expected]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are offered with the next step once the server has more', async () => {
    replies = [callsOf('grow'), answer('done')];
    const step = model().requests.length + 1;
    await ask(api, 'grow');
    await until(() => nameOf('grown') !== undefined, 'the new tool');
    await ask(api, 'again');
    const names =
      model()
        .requests.slice(step)
        .at(-1)
        ?.body.tools?.map((each) => each.function.name) ?? [];
    assert.ok(names.some((name) => name.endsWith('_grown')));
    const [result] = await resultsOf('grown');
    assert.equal(result, 'Grown.');
  });
});

/** How VS Code may name the file that lists the server. */
function labels(folderName: string): string[] {
  return [`${folderName}/${MCP_FILE}`, MCP_FILE];
}
