import assert from 'node:assert/strict';
import type { CommandStart } from '../../../src/agent/tools/commands/commandRun.ts';
import { BranchChecks } from '../../../src/extension/files/branchChecks.ts';
import type { StoredRacer } from '../../../src/extension/files/storedRacers.ts';
import type { BranchFilesRecord } from '../../../src/host/branchFiles.ts';
import { BranchFilesError } from '../../../src/host/branchFilesError.ts';
import { until } from '../../fixtures/until.ts';

const record: BranchFilesRecord = {
  id: 'a',
  chatId: 'chat',
  createdAt: 0,
  state: 'open',
  folders: [
    { name: 'other', source: 'file:///other', uri: 'file:///own/other' },
    { name: 'app', source: 'file:///app', uri: 'file:///own/app' },
  ],
  empty: [],
  missing: [],
};

interface Started extends CommandStart {
  readonly end: (exitCode: number | null) => void;
}

/** A branch whose check a test ends itself. */
function makeWorld({
  limitMs = 60_000,
  isTrusted = true,
  isBusy = (): boolean => false,
  isOutside = false,
  hasSandbox = false,
  made = [] as readonly string[],
} = {}) {
  const check = { command: 'npm test', folder: 'file:///app', ...(isOutside ? { isOutside } : {}) };
  let racer: StoredRacer = { hint: 'so', check };
  const walled: (readonly string[])[] = [];
  const started: Started[] = [];
  const errors: unknown[] = [];
  const racers = {
    read: () => Promise.resolve(racer),
    write: (_id: string, value: StoredRacer) => {
      racer = value;
      return Promise.resolve();
    },
  };
  const start = (asked: CommandStart) => {
    const ended = Promise.withResolvers<number | null>();
    started.push({ ...asked, end: ended.resolve });
    return Promise.resolve({ ended: ended.promise, stop: () => ended.resolve(null), show: () => undefined });
  };
  const make = (from: BranchTerminals = { start }): BranchChecks =>
    new BranchChecks({
      racers,
      alone: async (_id, work) => {
        if (isBusy()) throw new BranchFilesError('busy');
        await work();
      },
      terminals: () => Promise.resolve(from),
      wallFor: (_chatId, writable) => {
        if (!hasSandbox) return Promise.resolve(undefined);
        walled.push(writable);
        return Promise.resolve({
          start: ['wall'] as const,
          refusedHosts: () => [],
          sweep: () => assert.fail('it has ended'),
          close: () => Promise.resolve({ made, isCut: false }),
        });
      },
      refusedText: () => '[refused]',
      madeText: (made) => `[made ${made.join()}]`,
      limitMs: () => limitMs,
      isTrusted: () => isTrusted,
      onError: (error) => errors.push(error),
    });
  return { checks: make(), errors, make, racer: () => racer, started, walled };
}
type BranchTerminals = Awaited<ReturnType<ConstructorParameters<typeof BranchChecks>[0]['terminals']>>;

const begun = (started: readonly Started[], count = 1): Promise<Started> =>
  until(() => started.length === count && started.at(-1), 'the command to start');

describe('the check of a branch', () => {
  it('runs in the sandbox, if there is one, with all of its folders; it is told what that may have refused', async () => {
    const { checks, racer, started, walled } = makeWorld({ hasSandbox: true });
    const done = checks.run(record, 'Try A');
    const { wall, onOutput, end } = await begun(started);
    assert.deepEqual([wall?.start, walled], [['wall'], [['file:///own/other', 'file:///own/app']]]);
    onOutput('getaddrinfo EAI_AGAIN example.com\n');
    end(1);
    await done;
    assert.equal(racer().check?.result?.output, 'getaddrinfo EAI_AGAIN example.com\n\n[refused]\n');
  });

  it('runs without the sandbox where the user chose that, and says nothing of it where it passes', async () => {
    const outside = makeWorld({ hasSandbox: true, isOutside: true });
    const done = outside.checks.run(record, 'Try A');
    const { wall, onOutput, end } = await begun(outside.started);
    assert.equal(wall, undefined);
    onOutput('EPERM\n');
    end(1);
    await done;
    assert.equal(outside.racer().check?.result?.output, 'EPERM\n');
    assert.equal(outside.racer().check?.isOutside, true);
    const inside = makeWorld({ hasSandbox: true, made: ['Makefile'] });
    const passes = inside.checks.run(record, 'Try A');
    const passing = await begun(inside.started);
    passing.onOutput('EPERM\n');
    passing.end(0);
    await passes;
    assert.equal(inside.racer().check?.result?.output, 'EPERM\n\n[made Makefile]\n');
  });

  it('runs in the files of the branch, under its name, and its end is kept with them', async () => {
    const { checks, racer, started } = makeWorld();
    const done = checks.run(record, 'Try A');
    const { command, folder, title, onOutput, end } = await begun(started);
    assert.deepEqual([command, folder, title], ['npm test', 'file:///own/app', 'Try A']);
    assert.equal(checks.isRunning('a'), true);
    onOutput('1 failing\n');
    end(1);
    await done;
    const { check, hint } = racer();
    const { duration: _notKnown, ...result } = check?.result ?? assert.fail('nothing is kept');
    assert.deepEqual(result, { end: 'ended', exitCode: 1, output: '1 failing\n' });
    assert.equal(hint, 'so');
    assert.equal(checks.isRunning('a'), false);
  });

  it('is not started twice at a time, nor where the workspace is not trusted', async () => {
    const { checks, started } = makeWorld();
    const first = checks.run(record, '');
    await checks.run(record, '');
    (await begun(started)).end(0);
    await first;
    assert.equal(started.length, 1);
    const untrusted = makeWorld({ isTrusted: false });
    await untrusted.checks.run(record, '');
    assert.equal(untrusted.started.length, 0);
  });

  it('is left to another window that runs it, whose result stays', async () => {
    let isBusy = true;
    const { checks, errors, racer, started } = makeWorld({ isBusy: () => isBusy });
    await checks.run(record, '');
    assert.deepEqual([started.length, errors.length, checks.isRunning('a')], [0, 0, false]);
    isBusy = false;
    const done = checks.run(record, '');
    (await begun(started)).end(0);
    await done;
    assert.equal(racer().check?.result?.exitCode, 0);
  });

  it('ends at the limit of time, or when it is stopped', async () => {
    const late = makeWorld({ limitMs: 1 });
    await late.checks.run(record, '');
    assert.equal(late.racer().check?.result?.end, 'late');

    const { checks, racer, started } = makeWorld();
    const done = checks.run(record, '');
    await begun(started);
    await checks.stop('a');
    await done;
    assert.equal(racer().check?.result?.end, 'stopped');
    assert.equal(racer().check?.result?.exitCode, null);
  });

  it('keeps the beginning and the end of what floods', async () => {
    const { checks, racer, started } = makeWorld();
    const done = checks.run(record, '');
    const { onOutput, end } = await begun(started);
    onOutput('begin\n');
    for (let index = 0; index < 3_000; index += 1) onOutput('flood flood flood flood flood\n'.repeat(50));
    onOutput('end\n');
    end(0);
    await done;
    const output = racer().check?.result?.output ?? '';
    assert.ok(output.length < 41_000, String(output.length));
    assert.match(output, /^begin\n[\s\S]*characters left out[\s\S]*end\n$/u);
  });

  it('forgets its result once the files are changed again, and ends if it still runs', async () => {
    const { checks, racer, started } = makeWorld();
    const first = checks.run(record, '');
    (await begun(started)).end(0);
    await first;
    await checks.forget('a');
    assert.equal(racer().check?.result, undefined);
    const second = checks.run(record, '');
    await begun(started, 2);
    await checks.forget('a');
    await second;
    assert.equal(racer().check?.result, undefined, 'what was stopped by it says nothing');
    assert.equal(racer().check?.command, 'npm test');
  });

  it('counts as not run where its window was closed in the middle, and can be run by another', async () => {
    const { checks, make, racer, started } = makeWorld();
    const cut = checks.run(record, '');
    await begun(started);
    checks.dispose();
    await cut;
    assert.equal(racer().check?.result, undefined);
    const other = make();
    assert.equal(other.isRunning('a'), false);
    const done = other.run(record, '');
    (await begun(started, 2)).end(0);
    await done;
    assert.equal(racer().check?.result?.exitCode, 0);
  });

  it('says why no terminal could run it', async () => {
    const { errors, make, racer } = makeWorld();
    await make({ start: () => Promise.reject(new Error('no terminal')) }).run(record, '');
    const { result } = racer().check ?? assert.fail('there is no check');
    assert.deepEqual([result?.end, result?.exitCode, result?.output], ['ended', null, 'no terminal']);
    assert.equal(errors.length, 1);
  });
});
