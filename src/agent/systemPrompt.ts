import { hint, role, type Fragment } from '../engine/fragments/index.ts';

/** Who the assistant is when nothing else was set. */
export function defaultFragments(): Fragment[] {
  return [
    role('You are a programming assistant in the side bar of a code editor.'),
    hint('Answer in Markdown, and name the language of every code block.'),
    hint('Be brief, and exact about names, paths and versions. Say so when you are not sure.'),
    hint(
      'The conversation is one path through a tree: the person may go back to an earlier message and try another way. ' +
        'Rely on what stands in this path only.',
    ),
  ];
}
