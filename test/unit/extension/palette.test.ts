import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { families, mayHold, offeredBy, type Member } from '../../../src/extension/commands/families.ts';
import type { CommandName } from '../../../src/extension/manifest/ids.ts';
import { holds, keysOf, parseWhen } from '../../../scripts/manifest/when-clause.mjs';

const MOST_LISTED = 45;

const entry = z.object({ command: z.string(), when: z.string().optional() });
const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), enablement: z.string().optional() })),
    menus: z.object({ commandPalette: z.array(entry) }),
  }),
});

async function readCommands() {
  const { commands, menus } = manifestSchema.parse(
    JSON.parse(await readFile('package.json', 'utf8')),
  ).contributes;
  const isHidden = (id: string): boolean =>
    menus.commandPalette.some(({ command, when }) => command === id && when === 'false');
  const enablements = new Map(commands.map(({ command, enablement }) => [command, enablement]));
  const ids = commands.map(({ command }) => command);
  return { ids, listed: ids.filter((id) => !isHidden(id)), enablements };
}

const members: readonly Member[] = Object.values(families)
  .flat(2)
  .map((member) => (typeof member === 'string' ? { command: member } : member));

/** All sources of commands as one text. */
async function readSources(): Promise<string> {
  const folder = 'src/extension';
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('Commands.ts'));
  return (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
}

/** Listed before families were; they stay for keys and links. */
const LISTED_BEFORE = [
  ...['newChat', 'openChat', 'openChatInEditor', 'openChatInNewWindow', 'renameChat', 'pinChat', 'unpinChat'],
  ...['archiveChat', 'showArchivedChats', 'deleteChat', 'rewind', 'rewindToStep', 'regenerate', 'attach'],
  ...['addSelection', 'addBranch', 'addProblems', 'addChanges', 'addTerminalSelection', 'regenerateWith'],
  ...['tryTimes', 'compareAnswers', 'createCheckpoint', 'restoreCheckpoint', 'btw', 'switchBranch'],
  ...['compareBranches', 'renameBranch', 'archiveBranch', 'unarchiveBranch', 'deleteBranch', 'undo', 'redo'],
  ...['showTimeline', 'openTrash', 'emptyTrash', 'openSampleChat', 'openWalkthrough', 'openStorageAgain'],
  ...['search', 'showGraph', 'filterTree', 'clearTreeFilter', 'showOnlyInTree', 'goToMessage'],
  ...['previousQuestion', 'nextQuestion', 'searchInView', 'refreshSearch', 'filterSearch', 'clearSearch'],
  ...['storageReport', 'findConversations', 'openRelated', 'copyRelated', 'refuseRelated'],
  ...['connectSharedStore', 'disconnectSharedStore', 'showSharedStore', 'shareChat', 'copyToShared'],
  ...['moveToShared', 'copyToLocal', 'moveToLocal', 'exportChat', 'exportBranchForAgent'],
  ...['copyBranchAsPrompt', 'exportAll', 'import', 'openInOffshoot', 'addMcpServer', 'stop', 'copyLink'],
  ...['openLink', 'applyCode', 'discardCode', 'selectModel', 'addModelServer', 'selectReasoningEffort'],
  ...['selectMode', 'selectTools', 'setApiKey', 'removeApiKey', 'focusChat', 'showLog', 'inspectContext'],
  ...['editChatInstructions', 'createPromptFile', 'editWorkspaceInstructions', 'summarizeUpTo'],
  ...['summarizeFrom', 'compact', 'bringBack', 'cherryPick', 'carryOutEditedPlan', 'reviewEdits'],
  ...['keepEdits', 'undoEdits', 'keepHunk', 'undoHunk', 'takeSummary', 'resetApprovals'],
] as const satisfies readonly CommandName[];

/** Rows of the list of “Attach…” and “Trash…”, which do the same without running them. */
const ROWS: readonly CommandName[] = [
  ...(['addSelection', 'addProblems', 'addChanges', 'addTerminalSelection', 'emptyTrash'] as const),
];

/** Rows of the list of models, which run what they name. */
const MODEL_ROWS: readonly CommandName[] = ['addModelServer', 'setApiKey', 'removeApiKey'];

describe('the palette', () => {
  it(`lists at most ${MOST_LISTED} commands`, async () => {
    const { listed } = await readCommands();
    assert.ok(listed.length > 30);
    assert.ok(listed.length <= MOST_LISTED, `${listed.length}: ${listed.join(', ')}`);
  });

  it('leads by its lists to each command that it listed before, and each is still there', async () => {
    assert.equal(new Set(LISTED_BEFORE).size, 102);
    const { ids, listed } = await readCommands();
    const sources = await readSources();
    const lost = LISTED_BEFORE.filter((name) => {
      const isReached =
        listed.includes(`offshoot.${name}`) ||
        members.some(({ command }) => command === name) ||
        ROWS.includes(name) ||
        sources.includes(`runCommand('offshoot.${name}'`) ||
        (MODEL_ROWS.includes(name) && sources.includes(`choice: '${name}'`));
      return !ids.includes(`offshoot.${name}`) || !isReached;
    });
    assert.deepEqual(lost, []);
  });

  it('lists each family, and each member once in it', async () => {
    const { listed } = await readCommands();
    for (const [family, groups] of Object.entries(families)) {
      assert.ok(listed.includes(`offshoot.${family}`), family);
      const names = groups.flat().map((member) => (typeof member === 'string' ? member : member.command));
      assert.deepEqual([...new Set(names)], names);
    }
  });

  it('reads when a member can be used as VS Code does', async () => {
    const { enablements } = await readCommands();
    const clauses = new Set(members.flatMap(({ command }) => enablements.get(`offshoot.${command}`) ?? []));
    assert.ok(clauses.size > 5);
    for (const clause of clauses) {
      const when = parseWhen(clause);
      const keys = [...new Set(keysOf(when))];
      for (let bits = 0; bits < 2 ** keys.length; bits += 1) {
        const values = new Map(keys.map((key, index) => [key, (bits & (1 << index)) !== 0]));
        assert.equal(
          mayHold(clause, values),
          holds(when, values),
          `${clause} ${JSON.stringify([...values])}`,
        );
      }
    }
    assert.equal(mayHold('unknown && !unknownToo', new Map()), true);
  });

  it('offers what can be used now, and no empty group', () => {
    const enablementOf = (name: CommandName) =>
      name === 'compareAnswers' ? 'offshoot.hasBranches' : undefined;
    const offered = (hasBranches: boolean): CommandName[][] =>
      offeredBy('regenerateActions', enablementOf, new Map([['offshoot.hasBranches', hasBranches]]));
    assert.deepEqual(offered(true), [['regenerate', 'regenerateWith', 'tryTimes'], ['compareAnswers']]);
    assert.deepEqual(offered(false), [['regenerate', 'regenerateWith', 'tryTimes']]);
    const pinned = (isPinned: boolean) =>
      offeredBy('chatActions', () => undefined, new Map([['isPinned', isPinned]])).flat();
    assert.ok(pinned(true).includes('unpinChat') && !pinned(true).includes('pinChat'));
    assert.ok(pinned(false).includes('pinChat') && !pinned(false).includes('unpinChat'));
  });
});
