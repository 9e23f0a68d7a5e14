import * as vscode from 'vscode';
import { z } from 'zod';
import { ownPath } from '../../engine/comparison.ts';
import { foldEffects } from '../../engine/effects.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { plainUri } from '../ui/tabs.ts';

const SCHEME = 'offshoot-branch';

/** The most that is shown of a side, in UTF-16 units: comparing more in VS Code would be useless. */
const TEXT_LIMIT = 5_000_000;

/** The address alone determines what a document shows: it is the same after a reload, and never changes. */
const place = z.discriminatedUnion('show', [
  z.object({
    show: z.literal('conversation'),
    chatId: z.string(),
    /** The point where the sides diverge; it is shown as well, so that both begin with the same text. */
    ancestorId: z.string().optional(),
    headId: z.string().nullable(),
  }),
  z.object({ show: z.literal('state'), chatId: z.string(), headId: z.string().nullable(), key: z.string() }),
]);
type Place = z.infer<typeof place>;

/** Plain text, because it holds what models and tools wrote. */
export function comparisonUri(what: Place): vscode.Uri {
  return plainUri(SCHEME, JSON.stringify(what));
}

export function registerComparisonDocuments(store: ReadonlyStore): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async (uri) => {
      const what = place.parse(JSON.parse(uri.query));
      const text = await (what.show === 'conversation' ? readText(store, what) : readValue(store, what));
      return withHiddenSpelledOut(text);
    },
  });
}

async function readText(
  store: ReadonlyStore,
  { chatId, ancestorId, headId }: Extract<Place, { show: 'conversation' }>,
): Promise<string> {
  // This loads a Markdown parser.
  const { messageAsMarkdown } = await import('../../importExport/messageMarkdown.ts');
  const ancestor = ancestorId === undefined ? undefined : await store.getMessage(chatId, ancestorId);
  const own = await ownPath(store, chatId, ancestorId, headId);
  const sections: string[] = [];
  let length = 0;
  for (const message of ancestor ? [ancestor, ...own] : own) {
    // Internal messages are compared as state.
    if (message.type === 'internal') continue;
    const text = messageAsMarkdown(message);
    length += text.length;
    if (length > TEXT_LIMIT) {
      sections.push(vscode.l10n.t('(What follows is too long to be compared.)'));
      break;
    }
    sections.push(text);
  }
  return sections.length === 0 ? '' : `${sections.join('\n\n')}\n`;
}

async function readValue(
  store: ReadonlyStore,
  { chatId, headId, key }: Extract<Place, { show: 'state' }>,
): Promise<string> {
  const path = headId === null ? [] : await store.getPath(chatId, headId);
  const value = foldEffects(path).state.get(key);
  return value === undefined ? '' : `${JSON.stringify(value, undefined, 2)}\n`;
}
