import assert from 'node:assert/strict';
import fc from 'fast-check';
import { crc32 } from '../../../../src/host/node/nodePlatform.ts';
import type { Group } from '../../../../src/store/sqlite/connection.ts';
import { JournalPosition, type JournalPart } from '../../../../src/store/durable/journal.ts';
import {
  readSnapshot,
  SnapshotSum,
  type Snapshot,
  writeSnapshot,
} from '../../../../src/store/durable/snapshot.ts';

const group = (text: string): Group => [
  { sql: 'INSERT INTO t VALUES (?, ?, ?)', parameters: [text, 1.5, null] },
  { sql: `DELETE FROM t WHERE name = '${text.length}'`, parameters: [] },
];

/** The bytes of a journal, and where each of its lines ends. */
function journalOf(groups: readonly Group[]): { bytes: Uint8Array<ArrayBuffer>; ends: number[] } {
  const { position, bytes } = JournalPosition.begin({ schema: 1, generation: 7 }, crc32);
  const parts = [bytes];
  const ends = [position.size];
  for (const each of groups) {
    parts.push(position.encode(each));
    ends.push(position.size);
  }
  return { bytes: Uint8Array.from(Buffer.concat(parts)), ends };
}

function read(bytes: Uint8Array): JournalPart | string {
  const position = JournalPosition.after(bytes, crc32);
  return typeof position === 'string' ? position : position.read(bytes.subarray(position.size));
}

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

describe('a journal', () => {
  const groups = ['one', 'two "quoted"\n', 'drei ✓', 'four'].map(group);

  it('gives back what was written, in one go or in several', () => {
    const parameter = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const statement = fc.record({ sql: fc.string(), parameters: fc.array(parameter) });
    fc.assert(
      fc.property(fc.array(fc.array(statement, { minLength: 1 })), fc.nat(), (written, cut) => {
        const { bytes, ends } = journalOf(written);
        const expected = JSON.parse(JSON.stringify(written)) as Group[];
        assert.deepEqual(read(bytes), { groups: expected, end: 'clean' });
        const half = ends[cut % ends.length] ?? 0;
        const position = JournalPosition.after(bytes.subarray(0, half), crc32);
        assert.ok(position instanceof JournalPosition);
        const first = position.read(bytes.subarray(position.size, half));
        const rest = position.read(bytes.subarray(position.size));
        assert.deepEqual([...first.groups, ...rest.groups], expected);
      }),
    );
  });

  it('is torn, not damaged, wherever its last line is cut', () => {
    const { bytes, ends } = journalOf(groups);
    const [start = 0, end = 0] = ends.slice(-2);
    for (let size = start + 1; size < end; size++) {
      assert.deepEqual(
        read(bytes.subarray(0, size)),
        { groups: groups.slice(0, -1), end: 'torn' },
        `${size}`,
      );
    }
  });

  it('is torn where a sector of its last line was never written', () => {
    const long = [...groups, group('x'.repeat(3_000))];
    const { bytes, ends } = journalOf(long);
    const start = ends.at(-2) ?? 0;
    for (let sector = Math.ceil(start / 512) * 512; sector < bytes.byteLength; sector += 512) {
      const copy = Uint8Array.from(bytes).fill(0, sector, sector + 512);
      assert.deepEqual(read(copy), { groups, end: 'torn' }, `sector at ${sector}`);
    }
    const extended = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(5_000)]);
    assert.deepEqual(read(extended), { groups, end: 'torn' });
  });

  it('is damaged, not torn, whichever bit of it is flipped', () => {
    const { bytes, ends } = journalOf(groups);
    for (let at = 0; at < bytes.byteLength; at++) {
      const whole = ends.filter((end) => end <= at).length;
      const expected = whole === 0 ? 'damaged' : { groups: groups.slice(0, whole - 1), end: 'damaged' };
      for (let bit = 0; bit < 8; bit++)
        assert.deepEqual(read(flipped(bytes, at, bit)), expected, `bit ${bit} of ${at}`);
    }
  });

  it('is damaged where lines were lost, swapped or come from another journal', () => {
    const { bytes, ends } = journalOf(groups);
    const line = (index: number): Uint8Array => bytes.subarray(ends[index], ends[index + 1]);
    const head = bytes.subarray(0, ends[0]);
    for (const lines of [[0, 2, 3], [0, 2, 1, 3], [1], [0, 0]]) {
      const mixed = Buffer.concat([head, ...lines.map(line)]);
      const part = read(mixed);
      assert.ok(typeof part !== 'string' && part.end === 'damaged', lines.join());
    }
  });

  it('is of a newer version when its sum fits and its header is unknown', () => {
    const { bytes } = journalOf([]);
    const header = new TextDecoder().decode(bytes.subarray(9)).replace('"version":1', '"version":2');
    const sum = crc32(Buffer.from(header.trimEnd()), 0).toString(16).padStart(8, '0');
    assert.equal(read(Buffer.from(`${sum} ${header}`)), 'newer');
  });
});

describe('a snapshot', () => {
  const database = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 31) % 256);
  const bytes = Uint8Array.from(Buffer.concat(writeSnapshot(database, { generation: 42 }, crc32)));

  const read = (file: Uint8Array<ArrayBuffer>, sum = new SnapshotSum(crc32)): Snapshot | undefined =>
    readSnapshot(file, sum);

  it('has the same sum when that was begun while the file was read', () => {
    for (let size = 0; size <= bytes.byteLength; size += 97) {
      const sum = new SnapshotSum(crc32);
      for (let end = 0; end <= size; end += 31) sum.goOn(bytes.subarray(0, end));
      assert.equal(read(bytes, sum)?.generation, 42, `after ${size} bytes`);
    }
  });

  it('is not accepted when a part changed that was read before the rest', () => {
    const sum = new SnapshotSum(crc32);
    sum.goOn(flipped(bytes, 7, 1));
    assert.equal(read(bytes, sum), undefined);
  });

  it('gives back what was written', () => {
    const snapshot = read(bytes);
    assert.equal(snapshot?.generation, 42);
    assert.deepEqual(Uint8Array.from(snapshot.database), database);
  });

  it('is not accepted, whichever bit of it is flipped', () => {
    for (let at = 0; at < bytes.byteLength; at++) {
      for (let bit = 0; bit < 8; bit++) assert.equal(read(flipped(bytes, at, bit)), undefined);
    }
  });

  it('is not accepted when it is cut, or goes on', () => {
    for (let size = 0; size < bytes.byteLength; size++) {
      assert.equal(read(bytes.subarray(0, size)), undefined);
    }
    assert.equal(read(Uint8Array.from([...bytes, 10])), undefined);
  });
});
