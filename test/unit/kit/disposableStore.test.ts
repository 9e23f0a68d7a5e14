import assert from 'node:assert/strict';
import { DisposableStore, type Disposable } from '../../../src/base/disposable.ts';

describe('DisposableStore', () => {
  let seen: string[];
  const named = (name: string): Disposable => ({ dispose: () => void seen.push(name) });
  const failing = (name: string): Disposable => ({
    dispose: () => {
      seen.push(name);
      throw new Error(name);
    },
  });

  beforeEach(() => {
    seen = [];
  });

  it('disposes in reverse order, each once', () => {
    const store = new DisposableStore();
    const twice = store.add(named('a'));
    store.add(named('b'));
    store.add(twice);
    store.dispose();
    store.dispose();
    assert.deepEqual(seen, ['b', 'a']);
  });

  it('disposes the others when one throws, and throws that', () => {
    const store = new DisposableStore();
    store.addAll(named('a'), failing('b'), named('c'));
    assert.throws(() => store.dispose(), { message: 'b' });
    assert.deepEqual(seen, ['c', 'b', 'a']);
    store.dispose();
    assert.deepEqual(seen, ['c', 'b', 'a']);
  });

  it('throws all failures together when there are several', () => {
    const store = new DisposableStore();
    for (const each of [failing('a'), named('b'), failing('c')]) store.add(each);
    assert.throws(
      () => store.dispose(),
      (error) => {
        assert(error instanceof AggregateError);
        assert.deepEqual(
          error.errors.map(({ message }: Error) => message),
          ['c', 'a'],
        );
        return true;
      },
    );
    assert.deepEqual(seen, ['c', 'b', 'a']);
  });

  it('disposes at once what is added after', () => {
    const store = new DisposableStore();
    store.dispose();
    const late = named('late');
    assert.equal(store.add(late), late);
    assert.deepEqual(seen, ['late']);
  });

  it('does not dispose again what is added while it disposes', () => {
    const store = new DisposableStore();
    store.add({ dispose: () => void store.add(named('late')) });
    store.dispose();
    assert.deepEqual(seen, ['late']);
  });
});
