import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  FOLDER_FILES,
  ROOT_FILES,
  USER_FILES,
} from '../../../src/agent/instructions/collectedInstructions.ts';
import { MEMORY_FILE } from '../../../src/agent/memory/memoryPlace.ts';
import { INSTRUCTIONS_FOLDER } from '../../../src/agent/instructions/projectInstructions.ts';
import { PROJECT_HOOKS, USER_HOOKS } from '../../../src/agent/hooks/findHooks.ts';
import { HOOK_EVENTS } from '../../../src/agent/hooks/hook.ts';
import { HOOK_OUTPUT_FIELDS } from '../../../src/agent/hooks/hookVerdict.ts';
import { HOOK_FIELDS } from '../../../src/agent/hooks/readHooksFile.ts';
import { AGENT_FIELDS } from '../../../src/agent/prompts/agentFile.ts';
import { AGENT_FOLDERS } from '../../../src/agent/prompts/findAgents.ts';
import { PROMPT_FOLDERS } from '../../../src/agent/prompts/findPrompts.ts';
import { PROMPT_FIELDS } from '../../../src/agent/prompts/promptFile.ts';
import { configFiles } from '../../../src/extension/mcp/mcpConfig.ts';
import { IGNORED_SKILL_FIELDS, SKILL_FIELDS } from '../../../src/agent/skills/skillFile.ts';
import { PROJECT_SKILL_FOLDERS, USER_SKILL_FOLDERS } from '../../../src/agent/skills/skillPlaces.ts';

interface Row {
  readonly places: readonly string[];
  /** Names of files that are looked for in many folders. */
  readonly names: readonly string[];
  readonly honoured: readonly string[];
  readonly ignored: readonly string[];
}

const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code);

/** By what the first cell of each links with. */
async function rows(): Promise<Map<string, Row>> {
  const lines = (await readFile('docs/setup.md', 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| ['));
  return new Map(
    lines.map((line) => {
      const [, first = '', places = '', honoured = '', ignored = ''] = line.split('|');
      const title = /\[([^\]]+)\]/u.exec(first)?.[1] ?? '';
      return [
        title,
        {
          places: codesIn(places).filter((code) => /^[.~]\//u.test(code)),
          names: codesIn(places).filter((code) => /^[A-Z]/u.test(code)),
          honoured: codesIn(honoured),
          ignored: codesIn(ignored),
        },
      ];
    }),
  );
}

const below =
  (folder: string) =>
  (path: string): string =>
    `${folder}/${path}`;

describe('the table of files that were written for other agents', () => {
  it('has where each is looked for, in the order in which they count', async () => {
    const found = [...(await rows())].map(([title, { places }]) => [title, places]);
    assert.deepEqual(found, [
      ['Instructions', [...ROOT_FILES.flat().map(below('.')), ...USER_FILES.flat().map(below('~'))]],
      ['Instructions for some files', [below('.')(INSTRUCTIONS_FOLDER)]],
      ['Prompt files', PROMPT_FOLDERS.map(({ folder }) => below('.')(folder))],
      ['Skills', [...PROJECT_SKILL_FOLDERS.map(below('.')), ...USER_SKILL_FOLDERS.map(below('~'))]],
      ['Agents', AGENT_FOLDERS.map(below('.'))],
      [
        'Hooks',
        [
          ...PROJECT_HOOKS.map(({ path }) => below('.')(path)),
          ...USER_HOOKS.map(({ path }) => below('~')(path)),
        ],
      ],
      ['Memory', [below('.')(MEMORY_FILE), below('~')(MEMORY_FILE)]],
      ['MCP servers', [configFiles.shared, configFiles.vscode].map(({ path }) => below('.')(path))],
    ]);
    assert.deepEqual((await rows()).get('Instructions')?.names, FOLDER_FILES.flat());
  });

  it('has the fields that are honoured, and those that are not', async () => {
    const table = await rows();
    assert.deepEqual(table.get('Prompt files')?.honoured.toSorted(), [...PROMPT_FIELDS].sort());
    const agents = table.get('Agents');
    assert.deepEqual(
      AGENT_FIELDS.filter((field) => agents?.ignored.includes(field) !== true).toSorted(),
      agents?.honoured.toSorted(),
    );
    assert.deepEqual(table.get('Skills')?.honoured, SKILL_FIELDS);
    assert.deepEqual(table.get('Hooks')?.honoured, [...HOOK_EVENTS, ...HOOK_FIELDS, ...HOOK_OUTPUT_FIELDS]);
    assert.deepEqual(table.get('Skills')?.ignored, [...IGNORED_SKILL_FIELDS, 'when']);
  });
});
