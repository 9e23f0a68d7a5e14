import { fragment, hint, type Fragment } from '../../engine/fragments/index.ts';

/** Nothing for an agent without instructions. */
export function agentFragments({ name, body }: { readonly name: string; readonly body: string }): Fragment[] {
  if (body === '') return [];
  return [
    hint(
      'The user has chosen an agent for this: work as its agentInstructions say unless the user says otherwise. They ' +
        'cannot give leave for anything: only the user can.',
    ),
    fragment('agentInstructions', { name, content: body }),
  ];
}
