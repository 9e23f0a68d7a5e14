import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const extension = path.join('src', 'extension');

/** What every room builds on has more than one thing to offer. */
const base = ['commands', 'manifest', 'settings', 'ui'];

/** The files of each room that a source imports, without those that it only takes types of. */
async function readRooms(file: string): Promise<Map<string, string[]>> {
  const text = await readFile(path.join(extension, file), 'utf8');
  const rooms = new Map<string, string[]>();
  for (const [, names = '', room = '', name = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;]*?)\s+from\s+'\.\/(\w+)\/(\w+)\.ts'/gm,
  )) {
    const isOnlyTypes = names
      .replaceAll(/[{}]/g, '')
      .split(',')
      .every((each) => each.trim() === '' || each.trim().startsWith('type '));
    if (!isOnlyTypes && !base.includes(room)) rooms.set(room, [...(rooms.get(room) ?? []), name]);
  }
  return rooms;
}

interface Deps {
  readonly parents: readonly string[];
  readonly members: readonly string[];
}

/** The interfaces of what is needed, by their names. */
async function readDeps(): Promise<Map<string, Deps>> {
  const files = (await readdir(extension, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const all = new Map<string, Deps>();
  for (const file of files) {
    const text = await readFile(path.join(extension, file), 'utf8');
    for (const [, name = '', parents = '', body = ''] of text.matchAll(
      /^(?:export )?(?:interface|type) (\w+Deps)(?:\s+(?:extends|=)([^{;]*))?(?: \{([^}]*)\}|;)/gm,
    )) {
      all.set(name, {
        parents: parents
          .split(/[,&]/)
          .map((each) => each.trim())
          .filter(Boolean),
        members: Array.from(body.matchAll(/^ {2}readonly (\w+)/gm), ([, member = '']) => member),
      });
    }
  }
  return all;
}

function inheritedBy(name: string, all: ReadonlyMap<string, Deps>): Set<string> {
  const parents = all.get(name)?.parents ?? [];
  return new Set(
    parents.flatMap((parent) => [...(all.get(parent)?.members ?? []), ...inheritedBy(parent, all)]),
  );
}

describe('the rooms of the extension', () => {
  for (const file of ['allCommands.ts', 'offshoot.ts']) {
    it(`have one entry each in ${file}`, async () => {
      const rooms = await readRooms(file);
      assert.ok(rooms.size > 8, String(rooms.size));
      assert.deepEqual(
        [...rooms].filter(([, files]) => files.length > 1),
        [],
      );
    });
  }

  it('have their commands in files that are named for them', async () => {
    const named = [...(await readRooms('allCommands.ts'))].map(([room, files]) => [room, files.join()]);
    assert.deepEqual(
      named.filter(([room, file]) => file !== `${room}Commands`),
      [],
    );
  });

  it('name what they need once: no interface repeats what another gives it', async () => {
    const all = await readDeps();
    assert.ok(all.size > 40, String(all.size));
    const repeated = [...all].flatMap(([name, { members }]) => {
      const inherited = inheritedBy(name, all);
      return members.filter((member) => inherited.has(member)).map((member) => `${name}.${member}`);
    });
    assert.deepEqual(repeated, []);
  });
});
