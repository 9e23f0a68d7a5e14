import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { contextDocument } from './contextDocument.ts';
import { statesOf } from './contextNodes.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { openPlain, plainUri } from '../plainDocuments.ts';
import { shownName } from './shownName.ts';

const SCHEME = 'offshoot-context';

const INSPECTED = vscode.Uri.from({ scheme: SCHEME, path: '/Context.md' });

/** Read-only documents about the context: made when they are asked for, kept by nobody, and up to date while open. */
export function registerContextDocuments({
  context,
  store,
}: Pick<Services, 'context' | 'store'>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const isOpen = (): boolean =>
    vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === INSPECTED.toString());
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const now = await context.read();
      if (uri.path !== INSPECTED.path) return stateText(now, uri.query);
      const headId = now.branch?.headMessageId ?? null;
      return contextDocument(now, headId === null ? [] : await store.getPath(now.chatId, headId));
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    context.onDidChange(() => {
      if (isOpen()) changed.fire(INSPECTED);
    }),
  );
}

/** Shows what a model would be sent now. */
export async function showContext(): Promise<void> {
  const document = await vscode.workspace.openTextDocument(INSPECTED);
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Shows the value of a key as JSON. */
export async function showState(key: string): Promise<void> {
  await openPlain(plainUri(SCHEME, key), shownName(key));
}

function stateText(now: Parameters<typeof statesOf>[0], key: string): string {
  const found = statesOf(now).find((each) => each.key === key);
  return found ? withHiddenSpelledOut(`${JSON.stringify(found.value, undefined, 2)}\n`) : '';
}
