import type { ArtifactVersion } from '../../engine/effects.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { UnusedInstructions } from '../../agent/instructions/instructionsFile.ts';
import type { ConditionalInstructions } from '../../agent/instructions/projectInstructions.ts';
import type { FoundFacts } from '../../agent/memory/findMemory.ts';
import { listedFacts } from '../../agent/memory/memoryFragments.ts';
import type { PromptProblem } from '../../agent/prompts/promptText.ts';
import type { Skill, UnusedSkill } from '../../agent/skills/findSkills.ts';
import type { MessageTokens } from '../../agent/context/pathContext.ts';
import type { Ledger, LedgerKind } from '../../agent/ledger/ledger.ts';
import type { LeftOutTool } from '../../models/requests/tools.ts';
import type { ListedHooks } from './readHooks.ts';
import { INSTRUCTIONS } from './instructionsKept.ts';
import type { ContextNow, PromptPart } from './contextMeter.ts';

/** The owner of a value: this path through the conversation, the user in all chats, or all users. */
export type Scope = 'path' | 'user' | 'app';

export interface ShownArtifact {
  readonly name: string;
  readonly scope: Scope;
  /** Oldest first; never empty. */
  readonly versions: readonly ArtifactVersion[];
}

export interface ShownState {
  readonly key: string;
  readonly scope: Scope;
  readonly value: JsonValue;
}

/** What happened in messages that the model is not sent, by kind; `kept`: messages that are always sent. */
export interface ShownLedgerSection {
  readonly kind: LedgerKind | 'kept';
  /** Oldest first. */
  readonly entries: readonly string[];
  readonly leftOut: number;
}

export type Section =
  | 'prompt'
  | 'instructions'
  | 'skills'
  | 'hooks'
  | 'memory'
  | 'tools'
  | 'messages'
  | 'ledger'
  | 'nextLedger'
  | 'cost'
  | 'state'
  | 'artifacts';

/** A node of the Context view; commands get it as their argument. */
export type ContextNode =
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'fragment'; readonly index: number; readonly part: PromptPart }
  | { readonly kind: 'message'; readonly message: MessageTokens }
  | {
      readonly kind: 'ledgerSection';
      readonly section: ShownLedgerSection;
      /** Of the ledger that a summary would have now. */
      readonly isNext: boolean;
    }
  | {
      readonly kind: 'ledgerEntry';
      readonly isNext: boolean;
      readonly of: ShownLedgerSection['kind'];
      readonly index: number;
      readonly text: string;
    }
  | { readonly kind: 'earlier'; readonly count: number; readonly tokens: number }
  | { readonly kind: 'leftOutTool'; readonly index: number; readonly tool: LeftOutTool }
  | ({ readonly kind: 'state' } & ShownState)
  | {
      readonly kind: 'instructions';
      readonly of: 'chat' | 'workspace';
      readonly versions: readonly ArtifactVersion[];
    }
  | {
      readonly kind: 'instructionsFile';
      readonly file: string;
      readonly tokens: number;
      readonly isSent: boolean;
      /** An `AppliedBecause`, unless an earlier version sent it. */
      readonly because: unknown;
    }
  | { readonly kind: 'unusedInstructions'; readonly file: UnusedFile; readonly hasTools: boolean }
  | { readonly kind: 'skill'; readonly skill: Skill }
  | { readonly kind: 'unusedSkill'; readonly skill: UnusedSkill }
  | { readonly kind: 'skillsNotRead'; readonly count: number }
  | { readonly kind: 'hooks'; readonly hooks: ListedHooks }
  | {
      readonly kind: 'memory';
      readonly fact: string;
      /** Its place among those of its file. */
      readonly index: number;
      readonly scope: FoundFacts['scope'];
      /** The file; undefined: the branch. */
      readonly shown: string | undefined;
      readonly uri: string | undefined;
      /** Whether the model is told of it. */
      readonly isTold: boolean;
    }
  | {
      readonly kind: 'unusedMemory';
      readonly shown: string;
      readonly uri: string;
      readonly problem: PromptProblem;
    }
  | ({ readonly kind: 'artifact' } & ShownArtifact)
  | {
      readonly kind: 'artifactVersion';
      readonly name: string;
      readonly version: ArtifactVersion;
      readonly isNewest: boolean;
    };

export type LedgerNode = NodeOf<'ledgerSection' | 'ledgerEntry'>;

export type NodeOf<K extends ContextNode['kind']> = Extract<ContextNode, { kind: K }>;

type UnusedFile = UnusedInstructions | ConditionalInstructions;

/** How many messages are listed, the last ones; the others are one row with their sum. */
const MAX_MESSAGES = 100;

export function sectionsOf(now: ContextNow): ContextNode[] {
  const sections: Section[] = ['prompt', 'instructions'];
  if (skillNodes(now).length > 0) sections.push('skills');
  if (now.hooks.length > 0) sections.push('hooks');
  if (now.memory.length > 0) sections.push('memory');
  if (now.tools.count > 0 || now.tools.leftOut.length > 0) sections.push('tools');
  if (now.path.messages.length > 0) sections.push('messages');
  if (now.path.ledger) sections.push('ledger');
  if (now.path.messages.filter(isQuestion).length > 1) sections.push('nextLedger');
  if (now.cost !== undefined && now.cost.most > 0) sections.push('cost');
  if (statesOf(now).length > 0) sections.push('state');
  if (artifactsOf(now).length > 0) sections.push('artifacts');
  return sections.map((section) => ({ kind: 'section', section }));
}

/** A summary leaves the last question out. */
function isQuestion({ name, isNotice }: MessageTokens): boolean {
  return name === 'user' && isNotice !== true;
}

export function childrenOf(now: ContextNow, node: ContextNode): ContextNode[] {
  if (node.kind === 'artifact' || node.kind === 'instructions') {
    const { versions } = node;
    return versions
      .map((version, index): ContextNode => {
        return {
          kind: 'artifactVersion',
          name: version.name,
          version,
          isNewest: index === versions.length - 1,
        };
      })
      .reverse();
  }
  if (node.kind === 'ledgerSection') {
    const { isNext, section } = node;
    const { kind: of, entries } = section;
    return entries.map((text, index): ContextNode => ({ kind: 'ledgerEntry', isNext, of, index, text }));
  }
  if (node.kind !== 'section') return [];
  switch (node.section) {
    case 'prompt':
      return now.system.map((part, index) => ({ kind: 'fragment', index, part }));
    case 'instructions':
      return [
        { kind: 'instructions', of: 'chat', versions: now.instructions.chat },
        { kind: 'instructions', of: 'workspace', versions: now.instructions.workspace },
        ...instructionsFilesOf(now),
        ...unusedInstructionsOf(now),
      ];
    case 'skills':
      return skillNodes(now);
    case 'hooks':
      return now.hooks.map((hooks) => ({ kind: 'hooks', hooks }));
    case 'memory':
      return memoryNodes(now);
    case 'tools':
      return now.tools.leftOut.map((tool, index) => ({ kind: 'leftOutTool', index, tool }));
    case 'messages':
      return messageNodes(now.path.messages);
    case 'ledger':
      return ledgerNodes(now.path.ledger);
    case 'nextLedger':
    case 'cost':
      return [];
    case 'state':
      return statesOf(now).map((state) => ({ kind: 'state', ...state }));
    case 'artifacts':
      return artifactsOf(now).map((artifact) => ({ kind: 'artifact', ...artifact }));
  }
}

export function ledgerNodes(ledger: Ledger | undefined, { isNext = false } = {}): ContextNode[] {
  if (!ledger) return [];
  const kept = ledger.kept.map(({ text }) => text);
  const sections: ShownLedgerSection[] = [
    ...(kept.length === 0 ? [] : [{ kind: 'kept' as const, entries: kept, leftOut: 0 }]),
    ...ledger.sections,
  ];
  return sections.map((section) => ({ kind: 'ledgerSection', section, isNext }));
}

/** By key. */
export function statesOf({ path, userState, appState }: ContextNow): ShownState[] {
  const all = [
    ...entries('path', path.effects.state),
    ...entries('user', userState),
    ...entries('app', appState),
  ];
  return all.map(([scope, key, value]) => ({ key, scope, value })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** By name; instructions, which are artifacts too, have their own section. */
export function artifactsOf({ path, userArtifacts }: ContextNow): ShownArtifact[] {
  const all = [...entries('path', path.effects.artifacts), ...entries('user', userArtifacts)];
  return all
    .filter(([, name, versions]) => versions.length > 0 && !name.startsWith(INSTRUCTIONS))
    .map(([scope, name, versions]) => ({ name, scope, versions }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The project files that are sent, in the prompt or with a question on the path, each once. */
export function instructionsFilesOf({ system, path }: ContextNow): ContextNode[] {
  const inPrompt = system.flatMap(({ fragment, tokens }) => {
    const file = fragment.metadata?.['file'];
    const because = fragment.metadata?.['because'];
    return typeof file === 'string' ? [{ file, tokens, isSent: false, because }] : [];
  });
  const sent = path.messages.flatMap(({ instructions }) =>
    instructions.map(({ uri: file, tokens, because }) => {
      return { file, tokens, isSent: true, because };
    }),
  );
  // The last text under a name counts.
  const all = new Map([...inPrompt, ...sent].map((each) => [each.file, each]));
  return [...all.values()].map((each) => ({ kind: 'instructionsFile', ...each }));
}

export function unusedInstructionsOf(now: ContextNow): ContextNode[] {
  const used = new Set(
    instructionsFilesOf(now).map((node) => (node.kind === 'instructionsFile' ? node.file : '')),
  );
  const { conditional, unused } = now.project;
  const hasTools = now.tools.count > 0;
  return [...conditional.filter(({ uri }) => !used.has(uri)), ...unused].map((file) => {
    return { kind: 'unusedInstructions', file, hasTools };
  });
}

/** Those that can be used, then the others, with the reasons. */
function skillNodes({ skills: { skills, unused, notRead } }: ContextNow): ContextNode[] {
  return [
    ...skills.map((skill): ContextNode => ({ kind: 'skill', skill })),
    ...unused.map((skill): ContextNode => ({ kind: 'unusedSkill', skill })),
    ...(notRead > 0 ? [{ kind: 'skillsNotRead', count: notRead } as const] : []),
  ];
}

function memoryNodes({ memory }: ContextNow): ContextNode[] {
  return listedFacts(memory).flatMap(({ facts, told, scope, shown, uri, problem }): ContextNode[] => {
    if (problem && shown !== undefined && uri !== undefined)
      return [{ kind: 'unusedMemory', shown, uri, problem }];
    const first = facts.length - told.length;
    return facts.map((fact, index) => {
      return { kind: 'memory', fact, index, scope, shown, uri, isTold: index >= first };
    });
  });
}

function entries<V>(scope: Scope, values: ReadonlyMap<string, V>): [Scope, string, V][] {
  return [...values].map(([name, value]) => [scope, name, value]);
}

/** The last one first: the user has just seen it. */
function messageNodes(messages: readonly MessageTokens[]): ContextNode[] {
  const shown = messages.slice(-MAX_MESSAGES).reverse();
  const earlier = messages.slice(0, -MAX_MESSAGES);
  const tokens = earlier.reduce((sum, message) => sum + message.tokens, 0);
  return [
    ...shown.map((message): ContextNode => ({ kind: 'message', message })),
    ...(earlier.length > 0 ? [{ kind: 'earlier', count: earlier.length, tokens } as const] : []),
  ];
}
