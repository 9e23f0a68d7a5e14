import * as vscode from 'vscode';
import { z } from 'zod';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { openPlain, plainUri, readAsMarkdown } from '../ui/tabs.ts';
import { shownName } from '../ui/shownName.ts';
import type { ContextMeter, ContextNow } from './contextMeter.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

const SCHEME = 'offshoot-context';

/** What a document shows, encoded in its address: a key may have any name. */
const shownIn = z.discriminatedUnion('show', [
  z.object({ show: z.literal('context') }),
  z.object({ show: z.literal('state'), key: z.string() }),
]);

function uriFor(shown: z.infer<typeof shownIn>): vscode.Uri {
  return plainUri(SCHEME, JSON.stringify(shown));
}

/** Read-only documents about the context: created on request, never stored, and up to date while open. */
export function registerContextDocuments({
  context,
  store,
}: {
  readonly context: ContextMeter;
  readonly store: ReadonlyStore;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const inspected = uriFor({ show: 'context' });
  const isOpen = (): boolean =>
    vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === inspected.toString());
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const shown = shownIn.parse(JSON.parse(uri.query));
      const now = await context.read();
      if (shown.show === 'state') return stateText(now, shown.key);
      const headId = now.branch?.headMessageId ?? null;
      const path = headId === null ? [] : await store.getPath(now.chatId, headId);
      const [{ contextDocument }, { withLedger }] = await Promise.all([
        import('./contextDocument.ts'),
        import('../../agent/withSdk.ts'),
      ]);
      return withHiddenSpelledOut(contextDocument(now, path, withLedger));
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    context.onDidChange(() => {
      if (isOpen()) changed.fire(inspected);
    }),
  );
}

export async function showContext(): Promise<void> {
  const uri = uriFor({ show: 'context' });
  await readAsMarkdown(uri);
  await openPlain(uri, vscode.l10n.t('Context'));
}

export async function showState(key: string): Promise<void> {
  await openPlain(uriFor({ show: 'state', key }), shownName(key));
}

async function stateText(now: ContextNow, key: string): Promise<string> {
  const { statesOf } = await import('./contextNodes.ts');
  const found = statesOf(now).find((each) => each.key === key);
  return found ? withHiddenSpelledOut(`${JSON.stringify(found.value, undefined, 2)}\n`) : '';
}
