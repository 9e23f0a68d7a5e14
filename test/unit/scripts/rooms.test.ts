import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const extension = path.join('src', 'extension');

/** Where two or more take the same, it may have a name; a name for each would say everything twice. */
const MOST_NAMED = 25;

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

  it('say what they take where they take it: few such shapes have a name', async () => {
    const files = (await readdir('src', { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(path.join('src', name), 'utf8')));
    const named = texts.flatMap((text) =>
      Array.from(
        text.matchAll(/^(?:export )?(?:interface|type) (\w+(?:Deps|Surroundings))\b/gm),
        ([, name = '']) => name,
      ),
    );
    assert.ok(named.length <= MOST_NAMED, named.join(' '));
  });
});
