import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { McpClient, serverOf } from '../fixtures/mcp/mcpClient.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const root = process.cwd();
const folder = mkdtempSync(path.join(tmpdir(), 'offshoot-mcp-ui-'));
const config = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

describe('other agents and the user', () => {
  after('remove the folder', () => rm(folder, { recursive: true, force: true }));
  const use = useChat(undefined, {
    folder,
    linked: [root, path.join(root, 'test', 'fixtures', 'lm-provider')],
    viewport: { width: 1400, height: 860 },
  });

  /** Where the conversations of the window are. */
  async function storage(): Promise<string> {
    const { dataDir } = use().workbench;
    const lock = (await readdir(dataDir, { recursive: true })).find((file) =>
      file.endsWith('offshoot.db.lock'),
    );
    assert.ok(lock !== undefined);
    return path.join(dataDir, path.dirname(lock));
  }
  const chatOf = async (agent: McpClient): Promise<string> => {
    const { data } = await agent.call('list_branches', {});
    return z.object({ chats: z.array(z.object({ id: z.string() })) }).parse(data).chats[0]?.id ?? '';
  };

  it('ask in the window for what they write, and show all of it before', async function () {
    this.timeout(120_000);
    const { workbench, chat } = use();
    const { dialog, page, notifications } = workbench;
    await chat.ask('Where do herons nest?');
    await using agent = await McpClient.start(serverOf(await storage()));
    const id = await chatOf(agent);
    const note = [
      'Herons nest in colonies, often with egrets:',
      '',
      ...Array.from({ length: 14 }, (_, index) => `${index + 1}. Colony ${index + 1}`),
      'The last line.',
    ].join('\n');

    const noted = agent.call('add_note', { chat: id, text: note }, 60_000);
    await page.locator('.monaco-dialog-box').waitFor();
    await soon.equal(() => dialog.message(), 'Allow “Test Agent 1.2” to add this note?');
    await soon.match(
      () => dialog.detail(),
      /^Chat: Where do herons nest\?\nBranch: Main line\n+│ Herons nest in colonies/u,
    );
    assert.doesNotMatch(await dialog.detail(), /last line/u);
    await workbench.screenshot('a program asks to add a note');
    await dialog.press('Show Full Text');
    await page.locator('.monaco-editor .view-line', { hasText: 'The last line.' }).waitFor();
    await workbench.screenshot('the whole note before it is allowed');
    await notifications.press('Allow “Test Agent 1.2” to add this note?', 'Allow');
    assert.match((await noted).text, /^The user allowed it\./u);
    await chat.frame.getByText('Herons nest in colonies, often with egrets:').waitFor();
    await workbench.runCommand('workbench.action.revertAndCloseActiveEditor');
    await workbench.screenshot('a note of a program in the chat');

    const declined = agent.call('create_checkpoint', { chat: id, name: 'herons' }, 60_000);
    await page.locator('.monaco-dialog-box').waitFor();
    await soon.equal(() => dialog.message(), 'Allow “Test Agent 1.2” to create the checkpoint “herons”?');
    // The button that has the focus allows nothing.
    await page.keyboard.press('Enter');
    await page.locator('.monaco-editor .view-line', { hasText: 'Colony 1' }).first().waitFor();
    await notifications.press('Allow “Test Agent 1.2” to create the checkpoint “herons”?', 'Don’t Allow');
    assert.match((await declined).text, /^The user declined\./u);

    // What is said to a question that has ended does nothing.
    await assert.rejects(agent.call('add_note', { chat: id, text: 'Too late' }, 1_000), /timed out/iu);
    await dialog.press('Allow');
    await notifications.find('That request has ended. Nothing was written.');
    assert.doesNotMatch(await agent.read('read_path', { chat: id }), /Too late/u);
  });

  it('find the server in a file of the workspace, by a launcher that outlives updates', async function () {
    this.timeout(60_000);
    const { workbench } = use();
    const file = path.join(folder, '.mcp.json');
    await writeFile(file, '{\n  // Ours\n  "mcpServers": { "other": { "command": "x", "args": [] } },\n}\n');
    await workbench.runCommand('offshoot.addMcpServer');
    await workbench.quickInput.choose('.mcp.json');
    await workbench.page
      .locator('.monaco-diff-editor .view-line', { hasText: 'offshoot-mcp.mjs' })
      .first()
      .waitFor();
    await workbench.screenshot('what is added to .mcp.json');
    await workbench.notifications.press('Add Offshoot’s MCP server to .mcp.json?', 'Add');
    const text = await until(async () => {
      const now = await readFile(file, 'utf8');
      return now.includes('offshoot') && now;
    }, 'the file to be written');
    assert.match(text, /\/\/ Ours/u);
    const { mcpServers } = config.parse(
      JSON.parse(text.replace(/\/\/ Ours/u, '').replace(/,\s*\}\s*$/u, '}')),
    );
    assert.deepEqual(Object.keys(mcpServers), ['other', 'offshoot']);
    const { args = [] } = mcpServers['offshoot'] ?? {};
    assert.match(args[0] ?? '', /globalStorage.offshoot\.offshoot.offshoot-mcp\.mjs$/u);
    await using agent = await McpClient.start({ command: process.execPath, args });
    await soon.match(
      () => agent.read('search_conversations', { query: 'colonies' }),
      /Herons nest in \[colonies\]/u,
    );
  });

  it('are asked about by VS Code before they read with its tools', async function () {
    this.timeout(60_000);
    const { workbench } = use();
    await workbench.startCommand('offshoot-test.search');
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await soon.equal(() => workbench.dialog.message(), 'Search Offshoot conversations?');
    await workbench.screenshot('VS Code asks before its tool reads');
    await workbench.dialog.press('Yes');
    await workbench.notifications.find('do [herons] nest?');
  });
});
