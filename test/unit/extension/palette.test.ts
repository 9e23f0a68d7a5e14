import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  families,
  mayHold,
  memberOf,
  offeredBy,
  type Family,
  type Member,
} from '../../../src/extension/commands/families.ts';
import type { CommandName } from '../../../src/extension/manifest/ids.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { holds, keysOf, parseWhen } from '../../../scripts/manifest/when-clause.mjs';

/** With those that VS Code has for views, and those that are only there for a document that is open. */
const MOST_LISTED = 45;

/** Room is left for further ones. */
const MOST_OWN = 42;

/** A list is read at a glance. */
const MOST_ROWS = 9;

const entry = z.object({ command: z.string(), when: z.string().optional() });
const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(
      z.object({ command: z.string(), icon: z.string().optional(), enablement: z.string().optional() }),
    ),
    menus: z.object({ commandPalette: z.array(entry), 'view/title': z.array(entry.partial()) }),
    views: z.record(z.string(), z.array(z.unknown())),
  }),
});

async function readCommands() {
  const { commands, menus, views } = manifestSchema.parse(
    JSON.parse(await readFile('package.json', 'utf8')),
  ).contributes;
  const clauseOf = (id: string): string | undefined =>
    menus.commandPalette.find(({ command }) => command === id)?.when;
  const enablements = new Map(commands.map(({ command, enablement }) => [command, enablement]));
  const ids = commands.map(({ command }) => command);
  const listed = ids.filter((id) => clauseOf(id) !== 'false');
  return {
    commands,
    ids,
    listed,
    enablements,
    views: Object.values(views).flat(),
    buttons: menus['view/title'].flatMap(({ command }) => command ?? []),
    isForDocument: (id: string): boolean =>
      [clauseOf(id), enablements.get(id)].some((clause) => clause?.includes('resourceScheme') === true),
  };
}

const members: readonly Member[] = Object.values(families).flat(2).map(memberOf);

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

/** Buttons of the view that they are about. */
const BUTTONS: readonly CommandName[] = ['clearTreeFilter', 'refreshSearch', 'filterSearch', 'clearSearch'];

/** Rows of the list of models, which run what they name. */
const MODEL_ROWS: readonly CommandName[] = ['addModelServer', 'setApiKey', 'removeApiKey'];

const LOOKED_FOR = [
  ...[
    'export',
    'alternatives',
    'key',
    'shared store',
    'import',
    'model',
    'mcp',
    'trash',
    'search',
    'storage',
  ],
  ...[
    'rewind',
    'regenerate',
    'summarize',
    'branch',
    'edits',
    'instructions',
    'tools',
    'mode',
    'log',
    'sample',
  ],
];

/** A new chat in a folder without others: VS Code lists no command that is disabled. */
const EMPTY_CHAT = new Map(
  [
    'hasChats',
    'hasMessages',
    'hasBranches',
    'hasCheckpoints',
    'hasEditsToReview',
    'isReadOnly',
    'canUndo',
  ].map((key) => [`offshoot.${key}`, false]),
);

describe('the palette', () => {
  it(`lists at most ${MOST_LISTED} commands`, async () => {
    const { listed, views, isForDocument } = await readCommands();
    assert.ok(listed.length > 30);
    assert.ok(listed.length <= MOST_OWN, `${listed.length}: ${listed.join(', ')}`);
    // Of documents one is active, and has two commands at most. Each view has one of VS Code's, and their container.
    const atOnce = listed.filter((id) => !isForDocument(id)).length + 2 + views.length + 1;
    assert.ok(atOnce <= MOST_LISTED, `${atOnce}`);
  });

  it('finds what a user looks for by its name, in an empty chat as well', async () => {
    const { enablements, listed } = await readCommands();
    const texts = z
      .record(z.string(), z.string())
      .parse(JSON.parse(await readFile('package.nls.json', 'utf8')));
    const titleOf = (id: string): string => texts[id.replace('offshoot.', 'command.')] ?? '';
    const isFound = (word: string): boolean =>
      listed.some((id) => {
        const enablement = enablements.get(id);
        const isUsable = enablement === undefined || mayHold(enablement, EMPTY_CHAT);
        return isUsable && titleOf(id).toLowerCase().includes(word);
      });
    const missing = LOOKED_FOR.filter((word) => !isFound(word));
    assert.deepEqual(missing, []);
  });

  it('leads by its lists to each command that it listed before, and each is still there', async () => {
    assert.equal(new Set(LISTED_BEFORE).size, 102);
    const { buttons, ids, listed } = await readCommands();
    const sources = await readSources();
    const lost = LISTED_BEFORE.filter((name) => {
      const isReached =
        listed.includes(`offshoot.${name}`) ||
        members.some(({ command }) => command === name) ||
        ROWS.includes(name) ||
        (BUTTONS.includes(name) && buttons.includes(`offshoot.${name}`)) ||
        sources.includes(`runCommand('offshoot.${name}'`) ||
        (MODEL_ROWS.includes(name) && sources.includes(`choice: '${name}'`));
      return !ids.includes(`offshoot.${name}`) || !isReached;
    });
    assert.deepEqual(lost, []);
  });

  it('lists each family, and each member in one family, with an icon', async () => {
    const { commands, listed } = await readCommands();
    for (const [family, groups] of Object.entries(families)) {
      assert.ok(listed.includes(`offshoot.${family}`), family);
      assert.ok(groups.flat().length <= MOST_ROWS, family);
    }
    const names = members.map(({ command }) => command);
    assert.deepEqual([...new Set(names)], names);
    const icons = new Map(commands.map(({ command, icon }) => [command, icon]));
    for (const name of names) assert.match(icons.get(`offshoot.${name}`) ?? name, /^\$\([\w-]+\)$/);
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
      offeredBy('regenerateActions', enablementOf, new Map([['offshoot.hasBranches', hasBranches]])).map(
        (group) => group.map(({ command }) => command),
      );
    assert.deepEqual(offered(true), [
      ['regenerate', 'regenerateWith', 'tryTimes', 'race'],
      ['compareAnswers'],
    ]);
    assert.deepEqual(offered(false), [['regenerate', 'regenerateWith', 'tryTimes', 'race']]);
    const ofChat = (values: Readonly<Record<'isPinned' | 'isNotPinned' | 'isStored', boolean>>) =>
      offeredBy('chatActions', () => undefined, new Map(Object.entries(values)))
        .flat()
        .map(({ command }) => command);
    const outer = ['openChatInEditor', 'openChatInNewWindow', 'showArchivedChats'];
    assert.deepEqual(ofChat({ isStored: false, isPinned: false, isNotPinned: false }), outer);
    const pinned = ofChat({ isStored: true, isPinned: true, isNotPinned: false });
    assert.ok(pinned.includes('unpinChat') && !pinned.includes('pinChat'));
    const plain = ofChat({ isStored: true, isPinned: false, isNotPinned: true });
    assert.ok(plain.includes('pinChat') && !plain.includes('unpinChat'));
  });

  it('opens a family as a list of rows with icons, in groups, and runs the one that is chosen', async () => {
    const shown: { title?: string; rows: readonly { label: string; kind?: number }[] }[] = [];
    const run: string[] = [];
    const notices: string[] = [];
    const vscode = {
      QuickPickItemKind: { Separator: -1 },
      commands: { executeCommand: (id: string) => Promise.resolve(void run.push(id)) },
      window: {
        showInformationMessage: (text: string) => Promise.resolve(void notices.push(text)),
        showQuickPick: (rows: { label: string; kind?: number }[], { title = '' }) => {
          shown.push({ title, rows });
          return Promise.resolve(rows.at(-1));
        },
      },
    };
    const { familiesCommands } = await withVsCodeStub(
      () => import('../../../src/extension/commands/familiesCommands.ts'),
      vscode,
    );
    const open = async (family: Family, values: Readonly<Record<string, boolean>>): Promise<void> =>
      familiesCommands({
        extension: { packageJSON: JSON.parse(await readFile('package.json', 'utf8')) as unknown },
        offeredValues: () => Promise.resolve(new Map(Object.entries(values))),
      })[family]();
    await open('storageActions', { hasChatsElsewhere: true });
    const [{ rows } = assert.fail('nothing was shown')] = shown;
    const labels = rows.map(({ kind, label }) => (kind === -1 ? '-' : label));
    assert.deepEqual(labels.slice(2), [
      '-',
      '$(folder-opened) Use Chats Made Elsewhere…',
      '$(copy) Copy Chats Made Elsewhere…',
      '$(close) Hide Chats Made Elsewhere…',
    ]);
    assert.deepEqual(run, ['offshoot.refuseRelated']);
    await open('storageActions', { hasChatsElsewhere: false });
    assert.equal(shown[1]?.rows.length, 2);
    assert.deepEqual(run.slice(1), ['offshoot.findConversations']);
    await open('editActions', { 'offshoot.hasEditsToReview': false, editorHasEdits: false });
    assert.equal(shown.length, 2);
    assert.deepEqual(notices, ['There are no edits to review.']);
    const empty = { 'offshoot.hasMessages': false, 'offshoot.hasBranches': false };
    await open('regenerateActions', { ...empty, 'offshoot.isReadOnly': false });
    await open('regenerateActions', { ...empty, 'offshoot.isReadOnly': true });
    assert.equal(shown.length, 2);
    assert.deepEqual(notices.slice(1), [
      'This chat has no messages yet. Ask something first.',
      'This window can’t change chats.',
    ]);
  });
});
