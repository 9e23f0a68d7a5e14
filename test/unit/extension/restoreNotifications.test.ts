import assert from 'node:assert/strict';
import type { Moved } from '../../../src/extension/files/fileMoves.ts';
import type { UndoContext } from '../../../src/extension/files/restoreNotifications.ts';
import { until } from '../../fixtures/until.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const move = { chatId: 'c', from: 'main', to: { name: 'main-v2' } } as Moved['move'];
const step = { kind: 'rewound', from: 'main', branch: 'main-v2', sequence: 1 };

/** What is told of a rewind. @param runs the branches with an answer on its way */
async function toldOf(moved: Moved, runs: readonly string[] = []) {
  const toasts: [text: string, ...buttons: string[]][] = [];
  const status: string[] = [];
  const window = {
    showInformationMessage: (text: string, _options: unknown, ...items: { title: string }[]) =>
      Promise.resolve(void toasts.push([text, ...items.map(({ title }) => title)])),
    setStatusBarMessage: (text: string) => status.push(text),
  };
  const { notifyWithUndo } = await withVsCodeStub(
    () => import('../../../src/extension/files/restoreNotifications.ts'),
    { window },
  );
  const deps: unknown = {
    history: { steps: () => Promise.resolve([step]) },
    runs: { get: (_chatId: string, branch: string) => (runs.includes(branch) ? {} : undefined) },
  };
  notifyWithUndo(deps as UndoContext, moved, 'Rewound.');
  await until(() => toasts.length + status.length > 0, 'something to be told');
  return { toasts, status };
}

describe('what is told after a rewind', () => {
  it('is no notification where the chat shows all of it', async () => {
    const told = await toldOf({ move, restored: undefined, leftAlone: 0 });
    assert.deepEqual(told, { toasts: [], status: ['Rewound.'] });
  });

  it('is one with Undo where files that nobody sees went back, or were skipped', async () => {
    const restored = { chatId: 'c', count: 2 } as Moved['restored'];
    const { toasts, status } = await toldOf({ move, restored, leftAlone: 0 });
    assert.deepEqual(toasts, [['Rewound. 2 files restored. Previous conversation kept.', 'Undo']]);
    assert.deepEqual(status, []);
    const skipped = await toldOf({ move, restored: undefined, leftAlone: 1 });
    assert.deepEqual(skipped.toasts, [['Rewound. 1 file skipped. Previous conversation kept.', 'Undo']]);
  });

  it('is one where an answer goes on that was left', async () => {
    const { toasts } = await toldOf({ move, restored: undefined, leftAlone: 0 }, ['main']);
    assert.deepEqual(toasts[0]?.slice(1), ['Undo', 'Stop the Answer']);
  });
});
