import { guardrail, hint, preference, role, type Fragment } from '../../engine/fragments/index.ts';
import type { Instructions } from './instructions.ts';

/** Instructions as fragments of the system prompt, without the role: there is only one role. */
export function instructionFragments({ hints, guardrails, preferences }: Instructions): Fragment[] {
  return [
    ...(hints ?? []).map(hint),
    ...(guardrails ?? []).map(({ rule, reason, action }) =>
      guardrail({
        rule,
        ...(reason === undefined ? {} : { reason }),
        ...(action === undefined ? {} : { action }),
      }),
    ),
    ...(preferences ?? []).map(({ aspect, value }) => preference(aspect, value)),
  ];
}

/** The role of the first one that has one. */
export function roleOf(...all: readonly (Instructions | undefined)[]): Fragment | undefined {
  const ownRole = all.find((each) => each?.role !== undefined)?.role;
  return ownRole === undefined ? undefined : role(ownRole);
}
