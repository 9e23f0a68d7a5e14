import { Workbench, type WorkbenchOptions } from './workbench.ts';

/**
 * Opens one workbench for all tests of the enclosing `describe` and closes it after them.
 * A test that fails leaves a picture and its logs in out/results/.
 * @returns the workbench, once the tests run
 */
export function useWorkbench(options: WorkbenchOptions = {}): () => Workbench {
  let open: Workbench | undefined;

  before('open VS Code', async function () {
    this.timeout(90_000);
    const file = this.test?.parent?.file;
    open = await Workbench.open({ ...options, ...(file !== undefined && { file }) });
  });

  afterEach('keep what tells of a failure', async function () {
    const test = this.currentTest;
    if (test?.state === 'failed') await open?.keepEvidence(test.fullTitle());
  });

  after('close VS Code', async () => {
    await open?.close();
    open = undefined;
  });

  return () => {
    if (!open) throw new Error('VS Code is open only while a test or a hook runs.');
    return open;
  };
}
