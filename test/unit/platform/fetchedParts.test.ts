import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FetchedParts, PartNotFetchedError, type Parts } from '../../../src/host/browser/fetchedParts.ts';

/** Files of a bundle as the build writes them. */
const files: Readonly<Record<string, string>> = {
  'start.cjs': `module.exports = {
    "one": function (module, exports, require) {
      require('host').ran.push('one');
      exports.name = 'one';
      exports.other = () => require('two').name;
    },
    "two": function (module, exports, require) {
      require('host').ran.push('two');
      exports.name = 'two of ' + require('one').name;
      exports.rest = () => require.later('later.cjs', 'rest');
    },
  };`,
  'later.cjs': `module.exports = { "rest": function (module) { module.exports = 'the rest'; } };`,
  'whole.cjs': `require('host').ran.push('whole'); exports.name = 'whole';`,
  'faulty.cjs': `module.exports = { "faulty": function (module, exports, require) { require('host').fail(); exports.name = 'repaired'; } };`,
};

interface Named {
  readonly name: string;
}

describe('parts of a bundle that are fetched', () => {
  const asked: string[] = [];
  const ran: string[] = [];
  let refused = 0;
  let failures = 0;
  let server: Server;

  before(async () => {
    server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const text = files[url.slice('/dist/'.length)];
      if (refused-- > 0 || text === undefined) response.writeHead(503).end();
      else response.end(text);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => void server.close(resolve)));
  beforeEach(() => {
    asked.length = 0;
    ran.length = 0;
    refused = 0;
    failures = 0;
  });

  function parts(own: Parts = {}): FetchedParts {
    const { port } = server.address() as AddressInfo;
    const host = {
      ran,
      fail: () => {
        if (failures-- > 0) throw new RangeError('Too much.');
      },
    };
    return new FetchedParts({
      parts: own,
      require: (name) => {
        if (name !== 'host') throw new Error(`Cannot load module '${name}'`);
        return host;
      },
      addressOf: (file) => `http://127.0.0.1:${port}/dist/${file}`,
      problem: () => 'it was not there',
    });
  }

  it('are run when they are first asked for, and once', async () => {
    const all = parts({
      own: (module, _exports, require) => {
        ran.push('own');
        module.exports = { later: () => require.later('start.cjs', 'two') };
      },
    });
    assert.deepEqual(ran, []);
    const own = all.require('own') as { later: () => Promise<Named> };
    assert.equal(all.require('own'), own);
    assert.deepEqual(ran, ['own']);
    assert.equal((await own.later()).name, 'two of one');
    assert.equal(await own.later(), await all.later('start.cjs', 'two'));
    assert.deepEqual(ran, ['own', 'two', 'one']);
  });

  it('find each other, wherever they were fetched from', async () => {
    const all = parts();
    const one = (await all.later('start.cjs', 'one')) as { other: () => string };
    assert.equal(one.other(), 'two of one');
    const two = all.require('two') as { rest: () => Promise<string> };
    assert.equal(await two.rest(), 'the rest');
  });

  it('can be a file of their own', async () => {
    const all = parts();
    const whole = await all.later('whole.cjs');
    assert.equal((whole as Named).name, 'whole');
    assert.equal(await all.later('whole.cjs'), whole);
    assert.deepEqual([asked, ran], [['/dist/whole.cjs'], ['whole']]);
  });

  it('come with one request for each file, begun before they are asked for', async () => {
    const all = parts();
    all.prefetch('start.cjs');
    await Promise.all([
      all.later('start.cjs', 'one'),
      all.later('start.cjs', 'two'),
      all.later('later.cjs', 'rest'),
    ]);
    await all.later('start.cjs', 'one');
    all.prefetch('later.cjs');
    assert.deepEqual(asked.toSorted(), ['/dist/later.cjs', '/dist/start.cjs']);
    assert.deepEqual(ran.toSorted(), ['one', 'two']);
  });

  it('are fetched again after a failure, of which the caller is told', async () => {
    const all = parts();
    refused = 2;
    all.prefetch('start.cjs');
    const isTold = (error: unknown): boolean => {
      assert.ok(error instanceof PartNotFetchedError);
      assert.deepEqual([error.code, error.message], ['part-not-fetched', 'it was not there']);
      assert.match(String(error.cause), /503/u);
      return true;
    };
    await assert.rejects(all.later('start.cjs', 'one'), isTold);
    await assert.rejects(all.later('start.cjs', 'one'), isTold);
    assert.equal(((await all.later('start.cjs', 'one')) as Named).name, 'one');
    await assert.rejects(all.later('missing.cjs'), isTold);
  });

  it('are run again where that failed', async () => {
    const all = parts();
    failures = 1;
    await assert.rejects(all.later('faulty.cjs', 'faulty'), /Too much/u);
    assert.equal(((await all.later('faulty.cjs', 'faulty')) as Named).name, 'repaired');
    assert.equal(asked.length, 1);
  });

  it('that are nowhere are a matter of the host', () => {
    assert.throws(() => parts().require('fs'), /Cannot load module 'fs'/u);
  });
});
