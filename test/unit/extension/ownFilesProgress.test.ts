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
});
