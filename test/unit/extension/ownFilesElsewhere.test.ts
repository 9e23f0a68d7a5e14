import assert from 'node:assert/strict';
import type {
  KnownOwnFiles as Known,
  KnownOwnFilesOptions,
} from '../../../src/extension/files/knownOwnFiles.ts';
import type { BranchFilesRecord } from '../../../src/host/branchFiles.ts';
import { machineWith, madeFiles, ownFilesStub } from '../../fixtures/ownFilesStub.ts';
import { until } from '../../fixtures/until.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

let KnownOwnFiles: typeof Known;
const unexpected = (text: string): never => assert.fail(text);

/** A window, and what is on its machine, which other windows may change. */
function makeWindow(
  machine: { records: readonly BranchFilesRecord[] },
  log: (text: string) => unknown = unexpected,
): Known {
  return new KnownOwnFiles({
    host: machineWith(() => machine.records),
    folder: 'file:///storage',
    settings: { get: () => ({}) },
    labelOf: () => Promise.resolve('Try'),
    log: { warn: log, error: log },
  } as unknown as KnownOwnFilesOptions);
}

const runIn = (window: Known): Promise<unknown> =>
  window.ofRun('files', { chatId: 'chat', branch: 'try' }, () => () => []);

describe('files of a branch that another window or machine has', () => {
  // What is there lasts until another test needs something else.
  before(async () => {
    const load = () => import('../../../src/extension/files/knownOwnFiles.ts');
    ({ KnownOwnFiles } = await withVsCodeStub(load, ownFilesStub));
  });

  it('are said to be on another machine where they are not on this one', async () => {
    await assert.rejects(runIn(makeWindow({ records: [] })), { code: 'branch-files-elsewhere' });
  });

  it('are worked with once another window of this machine has made them', async () => {
    const machine: { records: readonly BranchFilesRecord[] } = { records: [] };
    const window = makeWindow(machine);
    await window.read();
    machine.records = [madeFiles];
    await runIn(window);
  });

  it('are not worked with once another window has discarded or removed them', async () => {
    const machine: { records: readonly BranchFilesRecord[] } = { records: [madeFiles] };
    const window = makeWindow(machine);
    await runIn(window);
    machine.records = [{ ...madeFiles, state: 'discarded' }];
    await assert.rejects(runIn(window), { code: 'branch-files-discarded' });
    machine.records = [];
    await assert.rejects(runIn(window), { code: 'branch-files-elsewhere' });
  });

  it('are told of in the log where they are gone when an answer with them ends', async () => {
    const told: string[] = [];
    const window = makeWindow({ records: [] }, (text) => told.push(text));
    const run = { ownFiles: 'files', status: 'complete', chatId: 'chat', branch: 'try' };
    window.progress.follow({ kind: 'finished', run } as Parameters<Known['progress']['follow']>[0]);
    await until(() => told.some((text) => text.includes('A check')), 'the check to be told of');
    window.dispose();
  });

  it('belong to the store of the window that made them', () => {
    const window = makeWindow({ records: [] });
    assert.deepEqual(
      [window.isOfStore(madeFiles), window.isOfStore({ store: 'postgres://a/b' })],
      [true, false],
    );
  });
});
