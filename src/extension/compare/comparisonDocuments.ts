import * as vscode from 'vscode';
import { z } from 'zod';
import { ownPath } from '../../engine/comparison.ts';
import { foldEffects } from '../../engine/effects.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { plainUri } from '../ui/plainDocuments.ts';

/** The scheme under which VS Code sees what a branch says, and the values of its state, to compare them. */
const SCHEME = 'offshoot-branch';

/** The most that is shown of a side, in UTF-16 units: VS Code's comparison of more than this would be of no use. */
const TEXT_LIMIT = 5_000_000;

/** What a document shows is said by its address alone: it is the same after a reload, and never changes. */
const place = z.discriminatedUnion('show', [
  z.object({
    show: z.literal('conversation'),
    chatId: z.string(),
    /** Where the other side parts from it; it is shown as well, so that both begin alike. */
    ancestorId: z.string().optional(),
    headId: z.string().nullable(),
  }),
  z.object({ show: z.literal('state'), chatId: z.string(), headId: z.string().nullable(), key: z.string() }),
]);
type Place = z.infer<typeof place>;

/** Where it can be looked at, as plain text: it holds what models and tools wrote. */
export function comparisonUri(what: Place): vscode.Uri {
  return plainUri(SCHEME, JSON.stringify(what));
}

/** Makes the documents that comparisons show; nobody can write to them. */
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
  // With it comes a reader of Markdown.
  const { messageAsMarkdown } = await import('../../importExport/messageMarkdown.ts');
  const ancestor = ancestorId === undefined ? undefined : await store.getMessage(chatId, ancestorId);
  const own = await ownPath(store, chatId, ancestorId, headId);
  const sections: string[] = [];
  let length = 0;
  for (const message of ancestor ? [ancestor, ...own] : own) {
    // What nobody said is compared as state.
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
