import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import type { ContextNode } from '../../src/extension/context/contextNodes.ts';
import { answer, conversationOf, lastQuestion } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { ask, offshoot, useModelServer } from './support.ts';

const RULE = 'Always use tabs.';
const KEPT = 'The port is 8080.';

describe('the ledger in the Context view', () => {
  const server = useModelServer((request) =>
    answer(lastQuestion(request).startsWith('Summarize this part') ? 'The gist.' : 'Noted.'),
  );

  it('is seen beforehand and afterwards, with what is kept always', async () => {
    const api = await offshoot();
    const { context, conversations, current, log } = api.parts;
    await current.startNew();
    await ask(api, RULE);
    await ask(api, KEPT);
    await ask(api, 'And the writer?');
    const kept = (await conversations.path()).filter(({ name }) => name === 'user')[1]?.id;
    const tree = new ContextTree(context, log);
    const rowsBelow = async (section: 'ledger' | 'nextLedger'): Promise<string[] | undefined> => {
      const node = (await tree.getChildren()).find(
        (each) => each.kind === 'section' && each.section === section,
      );
      return node && below(tree, node);
    };
    try {
      await context.read();
      assert.equal(await rowsBelow('ledger'), undefined, 'no summary yet');
      await soon.deepEqual(() => rowsBelow('nextLedger'), ['Rules you set · 1', `  ${RULE}`]);

      await vscode.commands.executeCommand('offshoot.keepMessage', { messageId: kept });
      const whole = ['Messages kept always · 1', `  ${KEPT}`, 'Rules you set · 1', `  ${RULE}`];
      await soon.deepEqual(() => rowsBelow('nextLedger'), whole);

      await vscode.commands.executeCommand('offshoot.summarizeContext');
      await soon.deepEqual(() => rowsBelow('ledger'), whole);
      assert.equal(await rowsBelow('nextLedger'), undefined, 'one question is left, which is not summarized');
      await ask(api, 'And then?');
      const sent = conversationOf(server().requests.at(-1) ?? assert.fail())
        .map(({ text }) => text)
        .join('\n');
      assert.match(sent, /<ledger>[^]*The port is 8080\.[^]*Always use tabs\.[^]*<\/ledger>/u);

      await vscode.commands.executeCommand('offshoot.stopKeepingMessage', { messageId: kept });
      await soon.deepEqual(() => rowsBelow('ledger'), ['Rules you set · 1', `  ${RULE}`]);
    } finally {
      tree.dispose();
    }
  });
});

/** The rows below one, indented, each with what stands next to it. */
async function below(tree: ContextTree, node: ContextNode): Promise<string[]> {
  const rows: string[] = [];
  for (const child of await tree.getChildren(node)) {
    const { label, description } = await tree.getTreeItem(child);
    const shown = typeof label === 'string' ? label : '';
    rows.push(typeof description === 'string' ? `${shown} · ${description}` : shown);
    rows.push(...(await below(tree, child)).map((row) => `  ${row}`));
  }
  return rows;
}
