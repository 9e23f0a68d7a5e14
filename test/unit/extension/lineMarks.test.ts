import assert from 'node:assert/strict';
import type { HoverProvider, Position, TextDocument, TextEditor } from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import type { LineMarks } from '../../../src/extension/origins/lineMarks.ts';
import type { DocumentOrigins, WrittenLine } from '../../../src/extension/origins/documentOrigins.ts';
import type { Settings } from '../../../src/extension/manifest/settings.ts';
import { until } from '../../fixtures/until.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

type Taken = ConstructorParameters<typeof LineMarks>[0];

const nothing = { dispose: () => undefined };

class StubEmitter<T> extends Emitter<T> {}

class StubMarkdown {
  constructor(readonly value: string) {}
}

class StubHover {
  constructor(readonly contents: StubMarkdown) {}
}

class StubRange {
  constructor(readonly line: number) {}
}

/** Lines 0 and 1 are of a first step, 2 of a second one. */
const written = [0, 1, 2].map((line): WrittenLine => ({
  ...{ line, isChangedSince: false, isImported: false },
  edit: { chatId: 'chat', messageId: line < 2 ? 'first' : 'second', at: 1 },
}));

/** An editor with a file that two steps wrote. @param isSlow what was imported is read only when that is said */
async function openEditor(mode: string, isSlow = false) {
  const document = { uri: { toString: () => 'file:///a.ts' }, lineAt: () => ({ range: undefined }) };
  let marked: number[] = [];
  let markings = 0;
  const editor = {
    document,
    setDecorations: (_type: unknown, ranges: readonly { line: number }[]) => {
      markings += 1;
      // First those that stand as they were written, then those that were changed since.
      marked = markings % 2 === 1 ? ranges.map(({ line }) => line) : marked;
    },
  };
  let provider: HoverProvider | undefined;
  const recorded = new Emitter<void>();
  const imported = Promise.withResolvers<readonly WrittenLine[]>();
  if (!isSlow) imported.resolve([]);
  const origins = {
    recordedLines: () => Promise.resolve(written),
    importedLines: () => imported.promise,
    details: () => Promise.resolve({ step: 1, at: 1, userId: 'local', question: { text: 'Why?' } }),
    onDidChange: recorded.event,
  };
  const { LineMarks: Made } = await withVsCodeStub(
    () => import('../../../src/extension/origins/lineMarks.ts'),
    {
      ...{ EventEmitter: StubEmitter, Range: StubRange, Hover: StubHover, Uri: { parse: () => ({}) } },
      MarkdownString: StubMarkdown,
      window: {
        visibleTextEditors: [editor as unknown as TextEditor],
        createTextEditorDecorationType: () => nothing,
        onDidChangeVisibleTextEditors: () => nothing,
      },
      workspace: { onDidChangeTextDocument: () => nothing },
      languages: {
        registerHoverProvider: (_selector: unknown, made: HoverProvider) => {
          provider = made;
          return nothing;
        },
        registerCodeLensProvider: () => nothing,
      },
    },
  );
  const marks = new Made({
    log: undefined as unknown as Taken['log'],
    origins: () => Promise.resolve(origins as unknown as DocumentOrigins),
    settings: { get: () => mode, onDidChange: () => nothing } as unknown as Settings,
  });
  return {
    marks,
    marked: () => marked,
    readImported: () => imported.resolve([]),
    hover: (line: number) =>
      provider?.provideHover(
        document as unknown as TextDocument,
        { line } as Position,
        undefined as unknown as Parameters<HoverProvider['provideHover']>[2],
      ),
    /** Something was recorded, and the lines are marked again. */
    recordMore: async () => {
      const before = markings;
      recorded.fire();
      await until(() => markings > before + 1, 'lines marked again');
    },
  };
}

describe('marks at lines that steps wrote', () => {
  it('stay at those of the step that was told, whatever is recorded', async () => {
    const { marks, marked, hover, recordMore } = await openEditor('hover');
    try {
      await hover(0);
      assert.deepEqual(marked(), [0, 1]);
      await recordMore();
      assert.deepEqual(marked(), [0, 1]);
      await hover(2);
      assert.deepEqual(marked(), [2]);
      await hover(7);
      assert.deepEqual(marked(), []);
      await recordMore();
      assert.deepEqual(marked(), []);
    } finally {
      marks.dispose();
    }
  });

  it('are those of the last line, though another one took longer', async () => {
    const { marks, marked, hover, readImported } = await openEditor('hover', true);
    try {
      const other = hover(7);
      await hover(0);
      readImported();
      await other;
      assert.deepEqual(marked(), [0, 1]);
    } finally {
      marks.dispose();
    }
  });

  it('are at all lines where that is asked for', async () => {
    const { marks, marked, hover, recordMore } = await openEditor('always');
    try {
      await hover(0);
      await recordMore();
      assert.deepEqual(marked(), [0, 1, 2]);
    } finally {
      marks.dispose();
    }
  });
});
