import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { thisProcess } from '../../../../src/host/node/nodeParts.ts';
import { WriterLock } from '../../../../src/store/durable/writerLock.ts';
import { until } from '../../../fixtures/until.ts';

const { host } = thisProcess();
/** No process has a number as high as this. */
const DEAD = 2 ** 30;

describe('the lock of the writer', () => {
  let folder: string;
  let file: string;
  /** What the locks take for the time, in milliseconds. */
  let time: number;
  const locks: WriterLock[] = [];

  const lock = (path = file): WriterLock => {
    const made = new WriterLock(new NodeFiles(), path, thisProcess(), () => time);
    locks.push(made);
    return made;
  };
  const leave = (content: object | string): Promise<void> =>
    writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-lock-'));
    file = path.join(folder, 'lock');
    time = 0;
  });
  afterEach(async () => {
    for (const each of locks.splice(0)) await each.release();
    await rm(folder, { recursive: true, force: true });
  });

  it('is had by one at a time, and by the next once it is given back', async () => {
    const [first, second] = [lock(), lock()];
    assert.equal(await first.tryAcquire(), true);
    assert.equal(await second.tryAcquire(), false);
    await first.release();
    assert.equal(await second.tryAcquire(), true);
    await second.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('is taken over at once from a process of this machine that is gone', async () => {
    await leave({ pid: DEAD, host, token: 'left' });
    assert.equal(await lock().tryAcquire(), true);
    assert.deepEqual(await readdir(folder), ['lock']);
  });

  it('is had by exactly one of many that find it left behind in the same moment', async function () {
    this.timeout(60_000);
    for (let round = 0; round < 40; round++) {
      await leave({ pid: DEAD, host, token: `left-${round}` });
      const contenders = Array.from({ length: 8 }, () => lock());
      const attempts = contenders.map(async (contender) => {
        while (!(await contender.tryAcquire())) {
          if (contenders.some((each) => each.isHeld)) return false;
        }
        return true;
      });
      const winners = (await Promise.all(attempts)).filter(Boolean);
      assert.equal(winners.length, 1, `round ${round}`);
      assert.equal(contenders.filter((each) => each.isHeld).length, 1);
      for (const contender of contenders) await contender.release();
    }
  });

  it('is taken over when the process that was taking it over is gone as well', async () => {
    await leave({ pid: DEAD, host, token: 'left' });
    await writeFile(`${file}.left`, JSON.stringify({ pid: DEAD - 1, host, token: 'heir' }));
    const heir = lock();
    await until(() => heir.tryAcquire(), 'the lock');
  });

  it('whose owner cannot be asked after is taken over within ten seconds, but not at once, whatever the clock says', async () => {
    const contents = {
      'of another machine': JSON.stringify({ pid: 1, host: 'elsewhere', token: 'left' }),
      'with our own number, from before a restart': JSON.stringify({ pid: process.pid, host, token: 'left' }),
      'half-written': '{"pid":',
      empty: '',
    };
    const tomorrow = new Date(Date.now() + 86_400_000);
    for (const [what, content] of Object.entries(contents)) {
      const left = path.join(folder, what);
      await writeFile(left, content);
      // As if the clock had been set back by a day since.
      await utimes(left, tomorrow, tomorrow);
      const heir = lock(left);
      const start = time;
      while (!(await heir.tryAcquire())) time += 500;
      assert.ok(time - start > 5_000 && time - start < 10_000, `${what}: ${time - start} ms`);
    }
  });

  it('of another machine that lives is not taken over, however wrong its clock is', async () => {
    await leave({ pid: 1, host: 'elsewhere', token: 'alive' });
    const contender = lock();
    for (; time < 60_000; time += 250) {
      if (time % 2_000 === 0) {
        const yesterday = new Date(Date.now() - 86_400_000 + time);
        await utimes(file, yesterday, yesterday);
      }
      assert.equal(await contender.tryAcquire(), false);
    }
  });

  it('of which nobody saw for how long it has not changed is not taken over, as after a machine slept', async () => {
    await leave({ pid: 1, host: 'elsewhere', token: 'left' });
    const contender = lock();
    for (let looks = 0; looks < 4; looks++) {
      assert.equal(await contender.tryAcquire(), false);
      time += 3_600_000;
    }
  });

  it('is known to be lost by an owner that was stopped for so long that another took it', async () => {
    const stopped = lock();
    assert.equal(await stopped.tryAcquire(), true);
    await leave({ pid: DEAD, host: 'elsewhere', token: 'other' });
    // Another one waits longer than this.
    time += 5_000;
    assert.equal(await stopped.confirm(), false);
    await stopped.release();
    assert.match(await readFile(file, 'utf8'), /"other"/);
  });
});
