import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';

describe('a file that is read', () => {
  let folder: string;
  const bytes = Uint8Array.from({ length: 20_000_000 }, (_, index) => (index * 7) % 251);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-files-'));
    await writeFile(path.join(folder, 'large'), bytes);
  });

  after(() => rm(folder, { recursive: true }));

  it('is given as far as it has come while the rest is read, with room behind it', async () => {
    const lengths: number[] = [];
    const read = await new NodeFiles().read(path.join(folder, 'large'), {
      spare: 1 / 8,
      onProgress: (sofar) => {
        assert.equal(sofar.at(-1), bytes[sofar.length - 1]);
        lengths.push(sofar.length);
      },
    });
    assert.ok(read);
    assert.equal(Buffer.compare(read, bytes), 0);
    assert.equal(read.buffer.byteLength, 22_500_000);
    assert.ok(lengths.length > 1 && lengths.every((length) => length < bytes.length), lengths.join());
  });

  it('is given from where it is asked for', async () => {
    const read = await new NodeFiles().read(path.join(folder, 'large'), { start: 19_999_998 });
    assert.deepEqual(read, bytes.subarray(-2));
    assert.equal(await new NodeFiles().read(path.join(folder, 'large'), { start: 20_000_001 }), undefined);
  });
});
