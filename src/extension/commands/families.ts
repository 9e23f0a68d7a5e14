import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import type { CommandName, ContextKey } from '../manifest/ids.ts';

/** What decides which commands a family offers: keys of `when` clauses, and facts that no clause asks for. */
export type OfferedKey =
  | ContextKey
  | 'editorHasEdits'
  | 'hasChatsElsewhere'
  | 'isNotPinned'
  | 'isPinned'
  | 'isStored'
  | 'isWorkspaceTrusted';

export interface Member {
  readonly command: CommandName;
  /** In place of the title of the command, which is about a row or message that a menu was opened on. */
  readonly label?: MessageDescriptor;
  /** As the `enablement` in package.json, where that of the command is not enough. */
  readonly when?: OfferedKey;
}

/** A line stands between the groups. */
type Groups = readonly (readonly (CommandName | Member)[])[];

/**
 * Commands that the palette lists as one, which asks for one of them. Each stays a command of its own, for keys, links
 * and menus, and is called without an argument: it is then about the open chat, or asks.
 */
export const families = {
  chatActions: [
    ['openChatInEditor', 'openChatInNewWindow'],
    [
      { command: 'renameChat', when: 'isStored' },
      { command: 'pinChat', when: 'isNotPinned' },
      { command: 'unpinChat', when: 'isPinned' },
      { command: 'archiveChat', when: 'isStored' },
      { command: 'deleteChat', when: 'isStored' },
    ],
    ['showArchivedChats'],
  ],
  branchActions: [
    [
      'renameBranch',
      { command: 'archiveBranch', label: defineMessage('Archive Branch…') },
      'unarchiveBranch',
      { command: 'deleteBranch', label: defineMessage('Delete Branch…') },
      { command: 'copyName', label: defineMessage('Copy Branch Name…') },
    ],
    ['bringBack', 'cherryPick'],
    [
      { command: 'renameCheckpoint', when: 'offshoot.hasCheckpoints' },
      {
        command: 'deleteCheckpoint',
        label: defineMessage('Delete Checkpoint…'),
        when: 'offshoot.hasCheckpoints',
      },
    ],
  ],
  rewindActions: [
    ['rewind', 'rewindToStep', { command: 'rewindToHere', label: defineMessage('Rewind to Message…') }],
  ],
  regenerateActions: [['regenerate', 'regenerateWith', 'tryTimes', 'race'], ['compareAnswers']],
  summarizeActions: [
    [
      { command: 'summarizeUpTo', label: defineMessage('Summarize Up to Message…') },
      { command: 'summarizeFrom', label: defineMessage('Summarize From Message…') },
      'summarizeContext',
    ],
    ['compact'],
  ],
  searchActions: [
    ['search', 'searchInView', 'searchLines'],
    ['filterTree', { command: 'showOnlyInTree', label: defineMessage('Show Only in Tree…') }],
  ],
  goToActions: [
    ['goToMessage', 'previousQuestion', 'nextQuestion', 'showTimeline'],
    ['focusChat', 'openLink'],
  ],
  exportActions: [
    [{ command: 'exportChat', when: 'isStored' }, 'exportAll'],
    [
      { command: 'exportBranchForAgent', when: 'isStored' },
      { command: 'copyBranchAsPrompt', when: 'isStored' },
      { command: 'copyForCommit', when: 'isStored' },
      { command: 'copyLink', label: defineMessage('Copy Link to Branch…'), when: 'isStored' },
    ],
  ],
  editActions: [
    ['reviewEdits', 'keepEdits', 'undoEdits'],
    [
      { command: 'keepHunk', when: 'editorHasEdits' },
      { command: 'undoHunk', when: 'editorHasEdits' },
    ],
  ],
  instructionsActions: [['editChatInstructions', 'editWorkspaceInstructions'], ['createPromptFile']],
  storageActions: [
    ['storageReport', 'findConversations'],
    [
      {
        command: 'openRelated',
        label: defineMessage('Use Chats Made Elsewhere…'),
        when: 'hasChatsElsewhere',
      },
      {
        command: 'copyRelated',
        label: defineMessage('Copy Chats Made Elsewhere…'),
        when: 'hasChatsElsewhere',
      },
      {
        command: 'refuseRelated',
        label: defineMessage('Hide Chats Made Elsewhere…'),
        when: 'hasChatsElsewhere',
      },
    ],
  ],
} as const satisfies Partial<Record<CommandName, Groups>>;

export type Family = keyof typeof families;

/**
 * Whether a clause of package.json holds, as far as the values are known: it is a conjunction, whose parts may be
 * alternatives in parentheses. What is not known does not stand in the way: VS Code asks for it as well.
 */
export function mayHold(clause: string, values: ReadonlyMap<string, boolean>): boolean {
  return clause.split('&&').every((part) =>
    part
      .replaceAll(/[()\s]/g, '')
      .split('||')
      .some((atom) => {
        const isNegated = atom.startsWith('!');
        const value = values.get(isNegated ? atom.slice(1) : atom);
        return value === undefined || value !== isNegated;
      }),
  );
}

/** The groups of a family with those members that can be used now, without empty ones. */
export function offeredBy(
  family: Family,
  enablementOf: (command: CommandName) => string | undefined,
  values: ReadonlyMap<string, boolean>,
): Member[][] {
  const groups: Groups = families[family];
  return groups
    .map((group) =>
      group.map(memberOf).filter(({ command, when }) => {
        const clauses = [when, enablementOf(command)];
        return clauses.every((clause) => clause === undefined || mayHold(clause, values));
      }),
    )
    .filter((group) => group.length > 0);
}

export function memberOf(member: CommandName | Member): Member {
  return typeof member === 'string' ? { command: member } : member;
}
