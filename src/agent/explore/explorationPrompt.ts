import { guardrail, type Fragment } from '../../engine/fragments/index.ts';

/** The system prompt fragment for an agent that explores for another one. */
export function explorationFragment(): Fragment {
  return guardrail({
    rule:
      'You look into one task for another agent. Use your tools to read what you need; nobody can be asked, and nothing ' +
      'can be changed. End with a report of what you found: the answer first, then names, paths and line numbers, and ' +
      'what you could not find out. Be concise.',
    reason: 'The other agent reads your last text and nothing else.',
  });
}

/** The text an exploring agent is sent before its last request. */
export const LAST_STEP =
  '<system-reminder>\nThis is your last step, and no tool can be used in it. Write the report now, with what you have ' +
  'found out so far.\n</system-reminder>';
