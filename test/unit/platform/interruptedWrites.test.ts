import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { NodeWorkspaceFiles } from '../../../src/host/node/nodeWorkspaceFiles.ts';
import type { RecoveredWrite } from '../../../src/host/workspaceFiles.ts';
import { RealWorkspace, writeJournalIn } from '../../fixtures/realWorkspace.ts';

const script = path.resolve('out/test/fixtures/storage/fileWriter.child.cjs');

interface Report {
  readonly kind: 'stopped' | 'done';
  readonly call?: string;
  readonly written?: string;
  readonly moved?: string;
  readonly removed?: string;
}

/** A write of `old` to `new` by a process that stops at a moment. */
class InterruptedWrite {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  readonly report: Promise<Report>;

  constructor(workspace: RealWorkspace, { old, now, moment, runner = [], more = '' }: WriteToInterrupt) {
    const { folder, uri, storage } = workspace;
    const given = [script, folder, uri, storage, 'a', old, now, String(moment), more];
    const [command = process.execPath, ...words] = runner.length > 0 ? [...runner, process.execPath] : [];
    this.child = spawn(command, [...words, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = once(this.child, 'close');
    this.report = this.firstReport();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async firstReport(): Promise<Report> {
    assert.ok(this.child.stdout);
    for await (const line of createInterface(this.child.stdout)) return JSON.parse(line) as Report;
    return assert.fail('it ended without a word');
  }
}

interface WriteToInterrupt {
  readonly old: string;
  readonly now: string;
  readonly moment: number;
  /** What runs Node: the words before it. */
  readonly runner?: readonly string[];
  readonly more?: string;
}

const cases = {
  'a short text by a longer one': ['old', 'new and longer'],
  'a long text by a shorter one': ['old bytes '.repeat(12_000), 'new '.repeat(11_000)],
} as const;

describe('a write of a file that ends with its process', () => {
  let workspace: RealWorkspace;
  beforeEach(async () => (workspace = await RealWorkspace.make()));
  afterEach(() => workspace[Symbol.asyncDispose]());

  const newFiles = (): NodeWorkspaceFiles =>
    new NodeWorkspaceFiles(workspace.guard, writeJournalIn(workspace.storage));
  const recordsLeft = async (): Promise<string[]> =>
    (await readdir(workspace.storage).catch(() => [])).filter((name) => name.endsWith('.journal'));
  const textsOf = ({ kept }: RecoveredWrite): Promise<string[]> =>
    Promise.all(kept.map((file) => readFile(file, 'utf8')));

  for (const [name, [old, now]] of Object.entries(cases)) {
    it(`loses neither version, wherever it is killed: ${name}`, async function () {
      this.timeout(60_000);
      const outcomes = new Set<string>();
      for (let moment = 1; ; moment += 1) {
        await using here = await RealWorkspace.make();
        await here.put('a', old);
        const write = new InterruptedWrite(here, { old, now, moment });
        const { kind, call = '' } = await write.report;
        await write.kill();
        if (kind === 'done') {
          assert.equal(await here.text('a'), now);
          break;
        }
        const hadBegun = (await readdir(here.storage)).some((each) => each.endsWith('.journal'));
        const files = new NodeWorkspaceFiles(here.guard, writeJournalIn(here.storage));
        const recovered = await files.recover();
        const text = await here.text('a');
        assert.equal(recovered.length, hadBegun ? 1 : 0, call);
        const [one] = recovered;
        if (one) {
          outcomes.add(one.outcome);
          assert.equal(text, one.outcome === 'written' ? now : old, call);
          const versions = [text, ...(await textsOf(one))];
          assert.ok(versions.includes(old) && versions.includes(now), `both are there after ${call}`);
        } else assert.equal(text, old, `not touched before ${call}`);
        assert.deepEqual(await files.recover(), [], 'it is recovered once');
        assert.deepEqual(Object.keys(await here.picture()), ['a']);
        const rest = (await readdir(here.storage)).filter((each) => !/\.(?:old|new|found)$/.test(each));
        assert.deepEqual(rest, [], call);
      }
      assert.deepEqual([...outcomes].sort(), ['undone', 'written']);
    });
  }

  it('is not touched as long as the process lives', async () => {
    const { old, now } = { old: 'old', now: 'new and longer' };
    await workspace.put('a', old);
    for (let moment = 1; (await recordsLeft()).length === 0; moment += 1) {
      const write = new InterruptedWrite(workspace, { old, now, moment });
      assert.equal((await write.report).kind, 'stopped');
      if ((await recordsLeft()).length > 0) assert.deepEqual(await newFiles().recover(), []);
      await write.kill();
    }
    assert.equal((await newFiles().recover()).length, 1);
  });

  it('leaves a file alone that someone else has written or replaced since, and keeps both versions', async () => {
    const [old, now] = ['old bytes '.repeat(1_000), 'new '.repeat(3_000)];
    const change = {
      written: () => workspace.put('a', 'something else'),
      replaced: async () => {
        await writeFile(workspace.onDisk('b'), old);
        await rename(workspace.onDisk('b'), workspace.onDisk('a'));
      },
      gone: () => rename(workspace.onDisk('a'), path.join(workspace.outside, 'a')),
    };
    for (const [how, work] of Object.entries(change)) {
      await workspace.put('a', old);
      for (let moment = 1; (await recordsLeft()).length === 0; moment += 1) {
        const write = new InterruptedWrite(workspace, { old, now, moment });
        assert.equal((await write.report).kind, 'stopped');
        await write.kill();
      }
      await work();
      const before = await workspace.picture();
      const [recovered] = await newFiles().recover();
      assert.ok(recovered, how);
      assert.deepEqual([recovered.path, recovered.outcome], ['a', 'apart'], how);
      assert.deepEqual(await textsOf(recovered), [old, now]);
      assert.deepEqual(await workspace.picture(), before);
    }
  });

  it('whose record is damaged is told of', async () => {
    await workspace.put('a', 'old');
    await newFiles().write(workspace.at('a'), { bytes: new TextEncoder().encode('x'), mode: undefined }, 't');
    const id = crypto.randomUUID();
    await writeFile(path.join(workspace.storage, `write.999999999.${id}.journal`), '{"version": 1, "fo');
    const [recovered] = await newFiles().recover();
    const damaged = path.join(workspace.storage, `write.${id}.damaged`);
    assert.deepEqual(recovered, { path: '', outcome: 'damaged', kept: [damaged] });
    assert.equal(await readFile(damaged, 'utf8'), '{"version": 1, "fo');
    assert.deepEqual(await newFiles().recover(), []);
  });
});

/** Mounts a file over `a`, and runs what follows. */
const mount = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
const ways = [
  ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh'],
  ['unshare', '--mount', 'sh', '-c', mount, 'sh'],
];

function isPermitted([command = '', ...words]: readonly string[]): boolean {
  const here = path.join(tmpdir(), '.');
  return spawnSync(command, [...words, here, here, 'true']).status === 0;
}

const way = ways.find(isPermitted);

describe(`a file that is mounted${way ? '' : ' (mounting is not permitted here, so a plain one)'}`, () => {
  it('is written where it is; that it cannot be removed or renamed is said', async () => {
    await using workspace = await RealWorkspace.make();
    const mounted = path.join(workspace.outside, 'mounted');
    await writeFile(mounted, 'old');
    await workspace.put('a', 'below');
    const old = way ? 'old' : 'below';
    const runner = way ? [...way, mounted, workspace.onDisk('a')] : [];
    const write = new InterruptedWrite(workspace, { old, now: 'new', moment: 0, runner, more: 'remove' });
    const { written, moved, removed } = await write.report;
    await write.kill();
    assert.equal(written, 'done');
    if (!way) return;
    assert.deepEqual([moved, removed], ['other-disk', 'mounted']);
    assert.equal(await readFile(mounted, 'utf8'), 'new');
    assert.equal(await workspace.text('a'), 'below');
  });
});
