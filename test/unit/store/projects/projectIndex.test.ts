import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { ProjectIndex } from '../../../../src/store/projects/projectIndex.ts';
import { manyProjects, projectFolder, projectRecord } from '../../../fixtures/projectFolders.ts';

describe('the index of projects', () => {
  const platform = nodePlatform(path.resolve('dist'));
  let folder: string;
  let index: ProjectIndex;
  const shared = (name: string): string => path.join(folder, 'shared', name);
  /** The parts that have something. */
  const parts = async (): Promise<string[]> =>
    (await readdir(path.join(folder, 'shared'))).filter((name) => name.endsWith('.jsonl')).map(shared);
  const [app, api] = [projectFolder('app'), projectFolder('api')];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-index-'));
    index = new ProjectIndex(platform, path.join(folder, 'shared'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is not whole before it is written, and then has what was put into it, for its owner alone', async () => {
    assert.deepEqual(await index.find([app]), { records: [], isWhole: false });
    const [record, other] = [projectRecord('file:///p/1/x', [app]), projectRecord('file:///p/2/x', [api])];
    await index.rewrite([record]);
    await index.put(other);
    assert.deepEqual(await index.find([app]), { records: [record], isWhole: true });
    assert.deepEqual(await index.find([api]), { records: [other], isWhole: true });
    assert.equal((await index.all()).records.length, 2);
    for (const file of await parts()) assert.equal((await stat(file)).mode & 0o077, 0);
  });

  it('has one record of a place, whatever its folders were before, and removes it', async () => {
    await index.rewrite([]);
    await index.put(projectRecord('file:///p/1/x', [app, api], { store: 'file:///p/8/x' }));
    const later = projectRecord('file:///p/1/x', [app], { store: 'file:///p/9/x' });
    await index.put(later);
    assert.deepEqual((await index.find([app])).records, [later]);
    assert.deepEqual((await index.find([api])).records, []);
    await index.remove(['file:///p/1/x']);
    assert.deepEqual(await index.find([app]), { records: [], isWhole: true });
  });

  it('is not written again for what it has', async () => {
    const record = projectRecord('file:///p/1/x', [app]);
    await index.rewrite([record]);
    const times = async (): Promise<number[]> =>
      Promise.all((await parts()).map(async (file) => (await stat(file)).mtimeMs));
    const before = await times();
    await index.put(record);
    assert.deepEqual(await times(), before);
  });

  it('keeps all that several windows put at once', async () => {
    const all = Array.from({ length: 8 }, (_, each) => projectRecord(`file:///p/${each}/x`, [app]));
    await Promise.all(
      all.map((record) => new ProjectIndex(platform, path.join(folder, 'shared')).put(record)),
    );
    assert.equal((await index.find([app])).records.length, all.length);
  });

  it('reads what is left of a damaged one, says so, and is whole once it is written again', async () => {
    const [one, other] = [projectRecord('file:///p/1/x', [app]), projectRecord('file:///p/2/x', [app])];
    const damages: ((text: string) => string)[] = [
      (text) => text.slice(0, -20),
      (text) => text.replaceAll('"place":"file:///p/2', '"place":7,"":"'),
      (text) => text.replaceAll('"store":"file:///p/2', '"store":"nowhere'),
    ];
    for (const damage of damages) {
      await index.rewrite([one, other]);
      for (const file of await parts()) await writeFile(file, damage(await readFile(file, 'utf8')));
      assert.deepEqual(await index.find([app]), { records: [one], isWhole: false });
      await index.rewrite([one, other]);
      assert.deepEqual(await index.find([app]), { records: [one, other], isWhole: true });
    }
    for (const header of ['', 'nothing of it', '{"format":"offshoot-projects"}']) {
      await writeFile(shared('index.json'), header);
      assert.deepEqual(await index.find([app]), { records: [one, other], isWhole: false });
    }
  });

  it('keeps what was put while it was read again from the storage folders', async () => {
    const [one, other] = [projectRecord('file:///p/1/x', [app]), projectRecord('file:///p/2/x', [app])];
    await index.put(other);
    await index.rewrite([one]);
    assert.deepEqual((await index.find([app])).records, [one, other]);
  });

  it('does not write one of a later version, and reads what it can', async () => {
    const record = projectRecord('file:///p/1/x', [app]);
    await index.rewrite([record]);
    await writeFile(shared('index.json'), JSON.stringify({ format: 'offshoot-projects', version: 2 }));
    await index.put(projectRecord('file:///p/2/x', [app]));
    await index.rewrite([projectRecord('file:///p/3/x', [app])]);
    assert.deepEqual(await index.find([app]), { records: [record], isWhole: true });
  });

  it('reads few files of many to find one among 5,000', async () => {
    const git = { common: 'file:///work/app/.git', first: 'f'.repeat(40), below: '' };
    const record = projectRecord('file:///p/this/x', [{ ...app, git }]);
    await index.rewrite([...manyProjects(5_000), record]);
    let bytes = 0;
    const read = async (file: string): Promise<Uint8Array | undefined> => {
      const content = await platform.files.read(file);
      bytes += content?.byteLength ?? 0;
      return content;
    };
    const files = new Proxy(platform.files, {
      get: (target, name): unknown => {
        const value: unknown = Reflect.get(target, name, target);
        return name === 'read' ? read : value;
      },
    });
    const counted = new ProjectIndex({ ...platform, files }, path.join(folder, 'shared'));
    assert.deepEqual((await counted.find([{ ...app, git }])).records, [record]);
    const all = await Promise.all((await parts()).map((file) => stat(file)));
    const whole = all.reduce((sum, { size }) => sum + size, 0);
    assert.ok(bytes > 0 && bytes < whole / 10, `${bytes} of ${whole}`);
  });
});
