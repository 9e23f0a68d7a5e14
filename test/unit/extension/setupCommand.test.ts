import assert from 'node:assert/strict';
import type { CommandStart } from '../../../src/agent/tools/commands/commandRun.ts';
import type { KnownOwnFiles } from '../../../src/extension/files/knownOwnFiles.ts';
import type { OwnFilesProgressOptions } from '../../../src/extension/files/ownFilesProgress.ts';
import type { BranchFilesRecord } from '../../../src/host/branchFiles.ts';
import { until } from '../../fixtures/until.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const record: BranchFilesRecord = {
  ...{ id: 'a', chatId: 'chat', createdAt: 0, state: 'open', empty: [], missing: [] },
  folders: [{ name: 'app', source: 'file:///app', uri: 'file:///own/app' }],
};

interface Item {
  readonly title: string;
}

/** A user who presses what the test says, and the terminals that are typed into. */
class User {
  readonly asked: { readonly text: string; readonly buttons: readonly string[] }[] = [];
  readonly typed: string[] = [];
  readonly window;

  constructor(presses: readonly (string | undefined)[]) {
    const left = [...presses];
    this.window = {
      showWarningMessage: (text: string, _options: unknown, ...items: Item[]): Promise<Item | undefined> => {
        this.asked.push({ text, buttons: items.map(({ title }) => title) });
        const pressed = left.shift();
        return Promise.resolve(items.find(({ title }) => title === pressed));
      },
      createTerminal: () => ({ show: () => undefined, sendText: (text: string) => this.typed.push(text) }),
    };
  }
}

async function ready(
  user: User,
  known: Pick<KnownOwnFiles, 'hasSandbox' | 'setup' | 'setUp'>,
): Promise<void> {
  const more = { window: user.window, Uri: { parse: (text: string) => text } };
  const { readyOwnFiles } = await withVsCodeStub(
    () => import('../../../src/extension/branches/newOwnFiles.ts'),
    more,
  );
  await readyOwnFiles(known, [{ record, label: 'Try A' }]);
}

const knownWith = (hasSandbox: boolean, problem?: string) => {
  const walled: string[] = [];
  const setUp = (_record: unknown, label: string) => {
    walled.push(label);
    return Promise.resolve(problem);
  };
  return { walled, setup: 'npm ci', hasSandbox: () => Promise.resolve(hasSandbox), setUp };
};

describe('the setup command of new files', () => {
  it('runs in the sandbox once it is approved, or outside where the user says so', async () => {
    const known = knownWith(true);
    const user = new User(['Run']);
    await ready(user, known);
    assert.deepEqual([known.walled, user.typed], [['Try A'], []]);
    assert.deepEqual(user.asked[0]?.buttons, ['Run', 'Run Outside of Sandbox']);
    const outside = new User(['Run Outside of Sandbox']);
    await ready(outside, known);
    assert.deepEqual([known.walled, outside.typed], [['Try A'], ['npm ci']]);
    const nobody = new User([undefined]);
    await ready(nobody, known);
    assert.deepEqual([known.walled, nobody.typed], [['Try A'], []]);
  });

  it('is typed into a terminal where there is no sandbox', async () => {
    const known = knownWith(false);
    const user = new User(['Run']);
    await ready(user, known);
    assert.deepEqual([known.walled, user.typed, user.asked[0]?.buttons], [[], ['npm ci'], ['Run']]);
  });

  it('is offered to be run outside where the sandbox got in its way', async () => {
    const known = knownWith(true, 'It failed.');
    const user = new User(['Run', 'Run Outside of Sandbox']);
    await ready(user, known);
    await until(() => user.typed.length === 1, 'it to run outside');
    assert.match(user.asked[1]?.text ?? '', /^It failed/u);
  });

  /** What is told of it after it ran. */
  async function notice(wallFor: OwnFilesProgressOptions['wallFor'], exitCode: number, output = '') {
    class EventEmitter {
      readonly event = () => undefined;
    }
    const { OwnFilesProgress } = await withVsCodeStub(
      () => import('../../../src/extension/files/ownFilesProgress.ts'),
      { EventEmitter },
    );
    const started: CommandStart[] = [];
    const unused = (): never => assert.fail('it is not needed');
    const log = { warn: () => undefined, error: () => undefined };
    const progress = new OwnFilesProgress({
      ...{ racers: unused, host: unused, recordOf: unused, labelOf: unused, onDidChange: unused },
      ...{ log, checkMs: () => 1, wallFor },
      terminals: () =>
        Promise.resolve({
          start: (start: CommandStart) => {
            started.push(start);
            start.onOutput(output);
            return Promise.resolve({ ended: Promise.resolve(exitCode), stop: unused, show: () => undefined });
          },
        }),
    } as unknown as OwnFilesProgressOptions);
    const text = await progress.setUp(record, 'Try A', 'npm ci');
    progress.dispose();
    return { started, text };
  }

  const wall = (made: readonly string[] = []) => ({
    start: ['wall'] as const,
    refusedHosts: () => [],
    sweep: () => assert.fail('it has ended'),
    close: () => Promise.resolve({ made, isCut: false }),
  });

  it('is run behind the wall of its files, and what that refused or renamed is told', async () => {
    const asked: (readonly string[])[] = [];
    const fine = await notice((_chatId, writable) => {
      asked.push(writable);
      return Promise.resolve(wall());
    }, 0);
    assert.equal(fine.text, undefined);
    assert.deepEqual(asked, [['file:///own/app']]);
    const [start] = fine.started;
    assert.deepEqual(
      [start?.command, start?.folder, start?.title, start?.wall?.start],
      ['npm ci', 'file:///own/app', 'Try A', ['wall']],
    );
    const refused = await notice(() => Promise.resolve(wall(['Makefile'])), 1, 'EAI_AGAIN');
    assert.match(refused.text ?? '', /failed in the files of “Try A”.*refused something.*Makefile/u);
  });

  it('is not run without a wall that could not be set up', async () => {
    const { started, text } = await notice(() => Promise.resolve(undefined), 0);
    assert.equal(started.length, 0);
    assert.match(text ?? '', /failed in the files of “Try A”/u);
  });
});
