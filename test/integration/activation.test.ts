import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';
import type { CommandName } from '../../src/extension/manifest/ids.ts';
import { offshoot } from './support.ts';

const schema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), category: z.string() })),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    keybindings: z.array(z.object({ command: z.string(), key: z.string(), when: z.string() })),
  }),
});

function manifest(): z.infer<typeof schema>['contributes'] {
  return schema.parse(vscode.extensions.getExtension('offshoot.offshoot')?.packageJSON).contributes;
}

describe('the extension', () => {
  it('registers every command it announces, and no other', async () => {
    await offshoot();
    const announced = manifest().commands.map(({ command }) => command);
    const views = Object.values(manifest().views).flat();
    const registered = (await vscode.commands.getCommands(true)).filter(
      // VS Code has commands of its own for each view.
      (command) => command.startsWith('offshoot.') && !views.some(({ id }) => command.startsWith(`${id}.`)),
    );
    assert.deepEqual(registered.sort(), announced.sort());
  });

  it('does something for each of its commands', async () => {
    const { commands } = await offshoot();
    for (const { command } of manifest().commands) {
      assert.equal(typeof (await commands.find(command.replace('offshoot.', '') as CommandName)), 'function');
    }
  });

  it('has all its commands under its name in the palette', () => {
    for (const { category, command } of manifest().commands) assert.equal(category, 'Offshoot', command);
  });

  it('takes no key that VS Code uses, but in its own tree and documents', async () => {
    const defaults = await vscode.workspace.openTextDocument(
      vscode.Uri.parse('vscode://defaultsettings/keybindings.json'),
    );
    const used = [...defaults.getText().matchAll(/"key": "([^"]*)",\s*"command": "([^"]*)"/g)];
    assert.ok(used.length > 500);
    const own = new Set(["focusedView == 'offshoot.tree'", "resourceScheme == 'offshoot-moment'"]);
    const everywhere = manifest().keybindings.filter(
      // As VS Code writes it, whatever the order of the parts.
      ({ when }) => when.includes('||') || !when.split(' && ').some((part) => own.has(part)),
    );
    assert.ok(everywhere.length > 0);
    for (const { key, command } of everywhere) {
      const commands = used.filter(([, taken]) => taken === key).map(([, , by]) => by);
      assert.deepEqual(commands, [command], key);
    }
  });

  it('refuses malformed messages of its page, logs their shape and not their content, and goes on', async () => {
    const { chat, parts } = await offshoot();
    const warnings: string[] = [];
    const { log } = parts;
    const warn = log.warn.bind(log);
    log.warn = (message: string) => void warnings.push(message);
    try {
      const malformed = [
        undefined,
        null,
        'sendMessage',
        { type: 'unknown' },
        { type: 'sendMessage', text: '' },
        { type: 'sendMessage', text: 'secret words', extra: true },
        { type: 'sendMessage', text: 'x'.repeat(1_000_001) },
        { type: 'runCommandHere', command: 'rewindToHere', messageId: 7 },
        { type: 'openLink' },
        // What only another page with its protocol may say.
        { type: 'keepAlternative', branch: 'secret words', place: { chatId: 'c', questionId: 'q' } },
        { type: 'stopAlternatives', place: { chatId: 'c', questionId: 'q' } },
      ];
      for (const message of malformed) await chat.receive(message);
      assert.equal(warnings.length, malformed.length);
      assert.ok(warnings.every((warning) => !warning.includes('secret words')));
    } finally {
      log.warn = warn;
    }
    assert.deepEqual(await parts.store.listChats(), []);
  });
});
