import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findInstructions } from '../../../src/agent/instructions/projectInstructions.ts';
import { instructionsReader } from '../../../src/agent/instructions/readApplyTo.ts';
import { factsIn } from '../../../src/agent/memory/memoryText.ts';
import { MEMORY_FILE } from '../../../src/agent/memory/memoryPlace.ts';
import { findAgents } from '../../../src/agent/prompts/findAgents.ts';
import { findPrompts } from '../../../src/agent/prompts/findPrompts.ts';
import { findSkills } from '../../../src/agent/skills/findSkills.ts';
import { PROJECT_SKILL_FOLDERS } from '../../../src/agent/skills/skillPlaces.ts';
import { uriBelow } from '../../../src/host/fileUri.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { unicodeTexts } from '../../fixtures/savedTexts.ts';

/** A project that has files of each format as it is published, and odd ones; `expected.json` says what is read of them. */
const folder = path.join('test', 'fixtures', 'setup');
const uri = uriOf(path.resolve(folder, 'project'));
const files = new NodeGuardedFiles(() => [{ name: 'project', uri }]);

/** Without what depends on where the project is. */
function plain(found: unknown): unknown {
  const text = JSON.stringify(found, (key, value: unknown) =>
    ['uri', 'folder', 'files', 'at'].includes(key) ? undefined : value,
  );
  assert.ok(!text.includes(uri), text);
  return JSON.parse(text);
}

const formats: Readonly<Record<string, () => Promise<unknown>>> = {
  skills: () => {
    const folders = PROJECT_SKILL_FOLDERS.map((each) => uriBelow(uri, each));
    return findSkills([{ scope: 'project', files, folders, skills: [] }], unicodeTexts);
  },
  agents: () => findAgents(files, unicodeTexts),
  prompts: () => findPrompts(files, new Set(['btw']), unicodeTexts),
  instructions: () => findInstructions(files, instructionsReader, unicodeTexts),
  memory: async () => factsIn(await readFile(path.join(folder, 'project', MEMORY_FILE), 'utf8')),
};

describe('files as they are published, and odd ones', () => {
  for (const [format, find] of Object.entries(formats)) {
    it(`are read as expected: ${format}`, async () => {
      const expected = JSON.parse(await readFile(path.join(folder, 'expected.json'), 'utf8')) as Readonly<
        Record<string, unknown>
      >;
      assert.deepEqual(plain(await find()), expected[format]);
    });
  }
});
