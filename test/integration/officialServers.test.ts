import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PendingApproval } from '../../src/agent/tools/approvals.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { toolCallsIn } from '../../src/models/messages/toolParts.ts';
import { toolFilesOf } from '../../src/models/messages/toolFiles.ts';
import { answer, toolResultsOf, useTools, type Reply } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, useModelServer } from './support.ts';

/** A folder with the official servers of the protocol in `node_modules`; `npm run real-sessions -- servers` sets it. */
const packages = process.env['OFFSHOOT_OFFICIAL_SERVERS'];

const MCP_FILE = '.vscode/mcp.json';

const servers = {
  everything: 'get-tiny-image',
  filesystem: 'list_allowed_directories',
  memory: 'read_graph',
} as const;

/** VS Code names them by what each server calls itself. */
const nameOf = (tool: string): string | undefined =>
  vscode.lm.tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(`_${tool}`))?.name;

if (packages !== undefined) {
  // VS Code itself asks before a tool that does not say that it only reads, and refuses to in a test: nothing here writes.
  describe('the official MCP servers, which VS Code runs', () => {
    let api: Offshoot;
    let replies: Reply[] = [];
    const folder = new FolderFiles();
    const model = useModelServer(() => replies.shift() ?? answer('done'));
    const asked: PendingApproval[] = [];
    let denies = false;
    let asking: { dispose: () => void } | undefined;

    const results = async (
      ...calls: readonly (readonly [tool: string, input: object])[]
    ): Promise<string[]> => {
      const named = calls.map(
        ([tool, input]) => [nameOf(tool) ?? assert.fail(tool), input] as [string, object],
      );
      replies = [...named.map((call) => useTools(call)), answer('done')];
      await ask(api, 'go');
      const last = model().requests.at(-1) ?? assert.fail();
      return toolResultsOf(last)
        .slice(-calls.length)
        .map(({ result }) => result);
    };

    before(async () => {
      api = await offshoot();
      const entries = Object.keys(servers).map((name) => {
        const program = path.join(
          packages,
          'node_modules',
          '@modelcontextprotocol',
          `server-${name}`,
          'dist',
          'index.js',
        );
        // Replaced by the open folders, which the server asks VS Code for.
        const args = name === 'filesystem' ? [program, packages] : [program];
        const env = { ELECTRON_RUN_AS_NODE: '1', MEMORY_FILE_PATH: folder.uri('memory.jsonl').fsPath };
        return [name, { command: process.execPath, args, env }] as const;
      });
      await folder.write(MCP_FILE, JSON.stringify({ servers: Object.fromEntries(entries) }));
      for (const [server, tool] of Object.entries(servers)) {
        await until(async () => {
          await vscode.commands.executeCommand('workbench.mcp.startServer', `mcp.config.ws0.${server}`);
          return nameOf(tool) !== undefined;
        }, `the tools of ${server}`);
      }
      asking = api.parts.approvals.onDidChange(() => {
        for (const approval of api.parts.approvals.list()) {
          asked.push(approval);
          api.parts.approvals.answer(approval.id, denies ? 'deny' : 'once');
        }
      });
    });
    beforeEach(async () => {
      asked.splice(0);
      denies = false;
      await api.parts.current.startNew();
    });
    after(async () => {
      asking?.dispose();
      for (const server of Object.keys(servers)) {
        await vscode.commands.executeCommand('workbench.mcp.stopServer', `mcp.config.ws0.${server}`);
      }
      await vscode.workspace.fs.delete(folder.uri('.vscode'), { recursive: true });
      if (await folder.exists('memory.jsonl')) await vscode.workspace.fs.delete(folder.uri('memory.jsonl'));
      await until(() => nameOf('echo') === undefined, 'the tools to be gone');
    });

    it('everything: texts, structured results, pictures and resources', async () => {
      const [echo = '', sum = '', structured = '', reference = ''] = await results(
        ['echo', { message: 'herons' }],
        ['get-sum', { a: 19, b: 23 }],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      );
      assert.equal(echo, 'Echo: herons');
      assert.match(sum, /\b42\b/u);
      assert.deepEqual(Object.keys(JSON.parse(structured) as object).toSorted(), [
        'conditions',
        'humidity',
        'temperature',
      ]);
      assert.match(
        reference,
        /Resource demo:\/\/resource\/dynamic\/text\/1:\nResource 1: This is a plaintext resource/u,
      );
      const [picture = ''] = await results(['get-tiny-image', {}]);
      assert.match(picture, /image/iu);
      const messages = (await api.parts.conversations.path()).flatMap(
        ({ data }) => readUIMessage(data) ?? [],
      );
      const shown = toolCallsIn(
        messages.findLast((message) => toolCallsIn(message).length > 0) ?? assert.fail(),
      ).at(-1);
      assert.deepEqual(shown && toolFilesOf(shown).map(({ mediaType }) => mediaType), ['image/png']);
    });

    it('filesystem: the open folder and nothing outside it, and no write that the user denies', async () => {
      await folder.write('notes.txt', 'Herons nest in March.\n');
      const file = folder.uri('notes.txt').fsPath;
      const [allowed = '', text = '', outside = ''] = await results(
        ['list_allowed_directories', {}],
        ['read_text_file', { path: file }],
        ['read_text_file', { path: path.join(packages, 'package.json') }],
      );
      assert.ok(allowed.includes(folder.folder.uri.fsPath) && !allowed.includes(packages), allowed);
      assert.match(text, /Herons nest in March\./u);
      assert.match(outside, /Access denied/u);
      asked.splice(0);
      denies = true;
      await results(['write_file', { path: file, content: 'Owls.' }]);
      assert.equal(await folder.text('notes.txt'), 'Herons nest in March.\n');
      assert.deepEqual(
        asked.map(({ kind }) => kind.replace(/:.*/u, '')),
        ['tool'],
      );
      await vscode.workspace.fs.delete(folder.uri('notes.txt'));
    });

    it('memory: what it keeps is found', async () => {
      const entity = { name: 'heron', entityType: 'bird', observations: ['nests in reed beds'] };
      await folder.write('memory.jsonl', `${JSON.stringify({ type: 'entity', ...entity })}\n`);
      const [found = ''] = await results(['search_nodes', { query: 'reed' }]);
      assert.deepEqual(JSON.parse(found), { entities: [entity], relations: [] });
    });
  });
}
