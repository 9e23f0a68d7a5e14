import type { LogEventKind } from './graph.ts';
import type { JsonObject } from './json.ts';

interface BranchEvent {
  readonly kind: LogEventKind;
  readonly branch?: string | undefined;
  readonly details: JsonObject;
}

/** The current names of side question branches. */
export function sideQuestionBranches(events: readonly BranchEvent[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, branch, details } of events) {
    if (branch === undefined) continue;
    if (kind === 'btw') names.add(branch);
    const { from } = details;
    if (kind === 'branch-renamed' && typeof from === 'string' && names.delete(from)) names.add(branch);
  }
  return names;
}
