import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FilePreview } from '../../src/agent/tools/approvals.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { until } from '../fixtures/until.ts';

/** The comparison that is open in front. */
export function diffTab(): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input : undefined;
}

/** Opens the change a tool asks for, and says no to it afterwards. */
export async function lookAtProposed(
  { parts }: Offshoot,
  preview: FilePreview,
  look: (diff: vscode.TabInputTextDiff) => Promise<void>,
): Promise<void> {
  const asked = parts.approvals.ask(
    { kind: 'write', preview },
    { chatId: 'c', toolName: 'edit_file', signal: new AbortController().signal, onAsked: () => undefined },
  );
  const denied = assert.rejects(asked, { code: 'denied' });
  try {
    await look(await until(diffTab, 'the change'));
  } finally {
    for (const { id } of parts.approvals.list()) parts.approvals.answer(id, 'deny');
    await denied;
  }
  await until(() => diffTab() === undefined, 'the change to close');
}

/** What a hostile repository may bring along. */
const associations = { '*': 'json', '**': 'json', '*.json': 'jsonc', 'tool call': 'json', '/**/*': 'json' };
const editors = { '*': 'vscode.markdown.preview.editor' };

/** Lets the workspace associate everything with a language and an editor, for all tests of the enclosing `describe`. */
export function useHostileAssociations(): void {
  const set = async (isHostile: boolean): Promise<void> => {
    for (const [section, name, value] of [
      ['files', 'associations', associations],
      ['workbench', 'editorAssociations', editors],
    ] as const) {
      const target = vscode.ConfigurationTarget.Workspace;
      await vscode.workspace.getConfiguration(section).update(name, isHostile ? value : undefined, target);
    }
  };
  before('associate everything', () => set(true));
  after('associate nothing', () => set(false));
}
