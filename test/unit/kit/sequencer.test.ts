import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Sequencer } from '../../../src/base/sequencer.ts';

describe('Sequencer', () => {
  it('begins a task once the one before has ended', async () => {
    const sequencer = new Sequencer();
    const gate = Promise.withResolvers<undefined>();
    const seen: string[] = [];
    const first = sequencer.run(async () => {
      seen.push('first begins');
      await gate.promise;
      seen.push('first ends');
      return 1;
    });
    const second = sequencer.run(() => {
      seen.push('second');
      return Promise.resolve(2);
    });
    await Promise.resolve();
    assert.deepEqual(seen, ['first begins']);
    gate.resolve(undefined);
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.deepEqual(seen, ['first begins', 'first ends', 'second']);
  });

  it('gives a failure to its own caller and goes on', async () => {
    const sequencer = new Sequencer();
    const failing = sequencer.run(() => Promise.reject(new Error('It broke.')));
    const throwing = sequencer.run(() => {
      throw new Error('It broke at once.');
    });
    const after = sequencer.run(() => Promise.resolve('after'));
    await assert.rejects(failing, { message: 'It broke.' });
    await assert.rejects(throwing, { message: 'It broke at once.' });
    assert.equal(await after, 'after');
  });

  it('is idle once every task given so far has ended, though one failed', async () => {
    const sequencer = new Sequencer();
    await sequencer.idle();
    let ended = 0;
    const end = async (): Promise<void> => {
      await Promise.resolve();
      ended += 1;
    };
    const tasks = [
      sequencer.run(end),
      sequencer.run(() => Promise.reject(new Error('No.'))),
      sequencer.run(end),
    ];
    await sequencer.idle();
    assert.equal(ended, 2);
    assert.deepEqual(
      (await Promise.allSettled(tasks)).map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('lets a task that is running give it another', async () => {
    const sequencer = new Sequencer();
    const seen: string[] = [];
    let inner: Promise<void> | undefined;
    await sequencer.run(() => {
      inner = sequencer.run(() => Promise.resolve(void seen.push('inner')));
      return Promise.resolve(void seen.push('outer'));
    });
    await inner;
    assert.deepEqual(seen, ['outer', 'inner']);
  });

  it('never runs two at once, and keeps the order, whatever each does', async () => {
    const outcome = fc.record({ turns: fc.nat(4), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { maxLength: 12 }), async (outcomes) => {
        const sequencer = new Sequencer();
        const order: number[] = [];
        let running = 0;
        const results = outcomes.map(({ turns, fails }, index) =>
          sequencer.run(async () => {
            assert.equal(running, 0);
            running += 1;
            order.push(index);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running -= 1;
            if (fails) throw new Error(String(index));
            return index;
          }),
        );
        const settled = await Promise.allSettled(results);
        assert.deepEqual(
          settled.map(({ status }) => status === 'rejected'),
          outcomes.map(({ fails }) => fails),
        );
        assert.deepEqual(order, [...outcomes.keys()]);
      }),
    );
  });
});
