import * as vscode from 'vscode';
import type { MemoryChange } from '../../agent/memory/memoryChange.ts';
import { MAX_BRANCH_FACTS } from '../../agent/memory/branchFacts.ts';
import { KnownFactError } from '../../agent/memory/memoryErrors.ts';
import type { MemoryPlace } from '../../agent/memory/memoryPlace.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { BranchData } from '../../engine/graph.ts';
import { notify } from '../ui/notifications.ts';

interface RememberedPlaces {
  places(): Promise<readonly MemoryPlace[]>;
  change(place: MemoryPlace, change: MemoryChange): Promise<void>;
}

/**
 * Offers what a branch remembers, and the branch it went to does not: for the project, or for that branch. Without an
 * answer it stays where it is.
 * @param target the branch it went to, in the same chat; undefined: what the branch did went into the workspace, and the conversation stays on it
 */
export async function offerMemory(
  { conversations, memory }: { readonly conversations: Conversations; readonly memory: RememberedPlaces },
  source: Pick<BranchData, 'chatId' | 'name'>,
  target: string | undefined,
): Promise<void> {
  const ofBranches = await conversations.branchMemory();
  const to = target === undefined ? undefined : { chatId: source.chatId, name: target };
  const known = to ? await ofBranches.read(to) : [];
  const facts = (await ofBranches.read(source)).filter((fact) => !known.includes(fact));
  const place = (await memory.places()).find(({ scope }) => scope === 'project');
  const fits = known.length + facts.length <= MAX_BRANCH_FACTS;
  const toBranch = vscode.l10n.t('Remember on This Branch');
  const toProject = vscode.l10n.t('Remember for Project');
  const buttons = [...(to && fits ? [toBranch] : []), ...(place ? [toProject] : [])];
  if (facts.length === 0 || buttons.length === 0) return;
  const answer = await notify.information(offerText(facts), ...buttons);
  if (answer === toBranch && to) {
    const changes = facts.map((add) => ({ add }));
    await ofBranches.change(to, changes);
  } else if (answer === toProject && place) {
    for (const add of facts) await added(memory, place, add);
  }
}

async function added(memory: RememberedPlaces, place: MemoryPlace, add: string): Promise<void> {
  try {
    await memory.change(place, { add });
  } catch (error) {
    if (!(error instanceof KnownFactError)) throw error;
  }
}

function offerText(facts: readonly string[]): string {
  const [first = ''] = facts;
  return facts.length === 1
    ? vscode.l10n.t('The branch remembers “{0}”.', shortened(first))
    : vscode.l10n.t('The branch remembers {0} facts, such as “{1}”.', facts.length, shortened(first));
}

function shortened(fact: string): string {
  const characters = Array.from(fact);
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : fact;
}
