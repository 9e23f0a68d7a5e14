import type { DecidedFile } from '../../files/decidedFiles.ts';
import { changedFiles, type ChangedFile } from './pathChanges.ts';
import type { LedgerFact } from './ledgerFacts.ts';
import { keptTexts, type KeptText } from './keptTexts.ts';
import { estimatedTokens } from './estimatedTokens.ts';

/** The kinds of entries, the one that stays longest first: what is too much is dropped from the end of this list. */
export const ledgerKinds = [
  'rule',
  'todo',
  'checkpoint',
  'decision',
  'change',
  'request',
  'attempt',
  'read',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export interface LedgerSection {
  readonly kind: LedgerKind;
  /** Oldest first. */
  readonly entries: readonly string[];
  /** How many older entries found no room. */
  readonly leftOut: number;
}

/** What a model is told of the messages that it is not sent. */
export interface Ledger {
  /** As it is sent; empty if there is nothing to tell. */
  readonly text: string;
  readonly kept: readonly KeptText[];
  readonly sections: readonly LedgerSection[];
}

/** The most tokens of a ledger, estimated: its facts, and the messages that the user wants kept. */
export interface LedgerRoom {
  readonly facts: number;
  readonly kept: number;
}

export interface LedgerSource {
  readonly facts: readonly LedgerFact[];
  /** What the user made of changed files. */
  readonly decided: readonly DecidedFile[];
  /** Checkpoints and branches of the user on the path, as entries. */
  readonly points: readonly string[];
  readonly kept: readonly KeptText[];
  readonly room: LedgerRoom;
  /** For another agent: it is told where its task comes from. */
  readonly isForTask: boolean;
}

const headings: Readonly<Record<LedgerKind, string>> = {
  rule: 'Rules that the user set, in their words:',
  todo: 'Open todos:',
  checkpoint: 'Checkpoints and branches:',
  decision: 'Decisions and their reasons:',
  change: 'Files changed:',
  request: 'What the user asked for, in their words:',
  attempt: 'Attempts that failed and were not repeated with success:',
  read: 'Files read, not changed since:',
};

const COMPACTED =
  'Kept by the program from what happened in the part summed up above, word for word. Later entries count more than earlier ones.';
const FOR_TASK =
  'Kept by the program from the conversation that your task comes from. It is background: your task follows, and only that is to be done.';

/** The same source gives the same text. */
export function createLedger(source: LedgerSource): Ledger {
  const { kept: wanted, room, isForTask } = source;
  const all = entriesOf(source);
  const counts = chooseCounts(all, room.facts);
  const sections = ledgerKinds.flatMap((kind): LedgerSection[] => {
    const entries = all[kind];
    const count = counts[kind];
    if (count === 0) return [];
    return [{ kind, entries: entries.slice(entries.length - count), leftOut: entries.length - count }];
  });
  const kept = keptTexts(wanted, room.kept);
  if (sections.length === 0 && kept.length === 0) return { text: '', kept, sections };
  const text = [
    '<ledger>',
    isForTask ? FOR_TASK : COMPACTED,
    ...(kept.length === 0 ? [] : ['Messages that the user wants kept always:', ...kept.map(keptText)]),
    ...sections.map(sectionText),
    '</ledger>',
  ].join('\n');
  return { text, kept, sections };
}

function keptText({ role, text }: KeptText): string {
  return `<message role="${role}">\n${text}\n</message>`;
}

function sectionText({ kind, entries, leftOut }: LedgerSection): string {
  const left = leftOut === 0 ? [] : [`- (${leftOut} earlier left out)`];
  return [headings[kind], ...left, ...entries.map((entry) => `- ${entry}`)].join('\n');
}

type Entries = Readonly<Record<LedgerKind, readonly string[]>>;

function entriesOf({ facts, points, decided }: LedgerSource): Entries {
  const ofKind = (kind: 'rule' | 'request' | 'decision' | 'branch'): string[] =>
    facts.flatMap((fact) => (fact.kind === kind ? [fact.text] : []));
  const changes = filesOf(facts, decided);
  return {
    rule: lastOfEach(ofKind('rule')),
    todo: todosOf(facts),
    checkpoint: lastOfEach([...ofKind('branch'), ...points]),
    decision: lastOfEach(ofKind('decision')),
    change: changes.map(({ text }) => text),
    request: lastOfEach(ofKind('request')),
    attempt: attemptsOf(facts),
    read: readsOf(
      facts,
      changes.map(({ path }) => path),
    ),
  };
}

/** What is said twice counts where it was said last. */
function lastOfEach(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.lastIndexOf(text) === index);
}

function todosOf(facts: readonly LedgerFact[]): string[] {
  const last = facts.findLast((fact) => fact.kind === 'todos');
  const open = last?.kind === 'todos' ? last.todos.filter(({ status }) => status !== 'done') : [];
  return open.map(({ title, status }) => (status === 'in_progress' ? `${title} (in progress)` : title));
}

interface NamedChange {
  readonly path: string;
  readonly text: string;
}

/** One whose edits the user undid is named, so that they are not made again. */
function filesOf(facts: readonly LedgerFact[], decided: readonly DecidedFile[]): NamedChange[] {
  const changes = facts.flatMap((fact) => (fact.kind === 'change' ? [fact.change] : []));
  const hasFolders = new Set(changes.map(({ folder }) => folder)).size > 1;
  return changedFiles(changes, decided).map(({ location: { folder, path }, state, undone }) => {
    const name = hasFolders ? `${decodedName(folder)}/${path}` : path;
    return { path, text: `${name} (${state}${undoneText(undone)})` };
  });
}

function undoneText(undone: ChangedFile['undone']): string {
  if (undone === undefined) return '';
  return undone === 'whole'
    ? ', then undone by the user: the file is as it was before'
    : ', then undone in part by the user';
}

function decodedName(folder: string): string {
  const name = folder.replace(/\/$/u, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    // A lone percent sign is a name, too.
    return name;
  }
}

function readsOf(facts: readonly LedgerFact[], changed: readonly string[]): string[] {
  const paths = facts.flatMap((fact) => (fact.kind === 'read' ? [fact.path.replace(/^\.\//u, '')] : []));
  return lastOfEach(paths).filter(
    (path) => !changed.some((each) => path === each || path.endsWith(`/${each}`)),
  );
}

/** What failed and did not succeed later. */
function attemptsOf(facts: readonly LedgerFact[]): string[] {
  const problems = new Map<string, string>();
  const begun = new Map<string, string>();
  for (const fact of facts) {
    if (fact.kind === 'begun') begun.set(fact.id, fact.what);
    const what = fact.kind === 'attempt' ? fact.what : fact.kind === 'ended' ? begun.get(fact.id) : undefined;
    if (what === undefined || (fact.kind !== 'attempt' && fact.kind !== 'ended')) continue;
    problems.delete(what);
    if (fact.problem !== undefined) problems.set(what, fact.problem);
  }
  return [...problems].map(([what, problem]) => `${what} → ${problem}`);
}

/** What a heading and a note about what was left out take, in tokens. */
const HEADING = 24;

/** The share of the room for one kind while others still want some. */
const FAIR_SHARE = 0.4;

/** How many of each kind find room, the newest first: a fair share for each in order, then the rest in order. */
function chooseCounts(all: Entries, room: number): Record<LedgerKind, number> {
  const counts = { rule: 0, todo: 0, checkpoint: 0, decision: 0, change: 0, request: 0, attempt: 0, read: 0 };
  const used = { ...counts };
  let left = room;
  for (const share of [room * FAIR_SHARE, Infinity]) {
    for (const kind of ledgerKinds) {
      const entries = all[kind];
      for (let at = entries.length - 1 - counts[kind]; at >= 0; at -= 1) {
        const cost = estimatedTokens(`- ${entries[at] ?? ''}\n`) + (counts[kind] === 0 ? HEADING : 0);
        if (cost > left || used[kind] + cost > share) break;
        counts[kind] += 1;
        used[kind] += cost;
        left -= cost;
      }
    }
  }
  return counts;
}
