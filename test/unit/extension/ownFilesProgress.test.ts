import assert from 'node:assert/strict';
import type {
  OwnFilesProgress as Progress,
  OwnFilesProgressOptions,
} from '../../../src/extension/files/ownFilesProgress.ts';
import { until } from '../../fixtures/until.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('what an answer has changed in files of its own', () => {
  let OwnFilesProgress: typeof Progress;
  before(async () => {
    const load = () => import('../../../src/extension/files/ownFilesProgress.ts');
    ({ OwnFilesProgress } = await withVsCodeStub(load, {}));
  });

  it('is counted while it is written, however fast it goes on', async () => {
    let changes = 0;
    const progress = new OwnFilesProgress({
      host: () => Promise.resolve({ countLines: () => Promise.resolve({ files: 1, added: 2, removed: 3 }) }),
      onDidChange: () => (changes += 1),
    } as unknown as OwnFilesProgressOptions);
    const run = { ownFiles: 'files', status: 'streaming' };
    const part = { kind: 'part', run } as Parameters<Progress['follow']>[0];
    await until(() => {
      progress.follow(part);
      return progress.linesOf('files');
    }, 'lines to be counted');
    assert.deepEqual([progress.linesOf('files'), changes], [{ files: 1, added: 2, removed: 3 }, 1]);
    progress.dispose();
  });

  it('is counted again for its row once the conversation has gone on, in whichever window', async () => {
    let counts = 0;
    const progress = new OwnFilesProgress({
      host: () =>
        Promise.resolve({
          countLines: () => Promise.resolve({ files: 1, added: (counts += 1), removed: 0 }),
        }),
      onDidChange: () => undefined,
    } as unknown as OwnFilesProgressOptions);
    const record = { id: 'files', state: 'open' } as const;
    const look = (headMessageId: string) => progress.look(record, { chatId: 'chat', headMessageId });
    await until(() => look('a')?.added === 1, 'the first count');
    look('a');
    await until(() => look('b')?.added === 2, 'the second');
    assert.equal(counts, 2);
    progress.dispose();
  });
});
