import type { ConversationView } from '../../../../src/protocol/chatFromHost.ts';
import { answer, conversation, question, streaming, turns } from './conversations.ts';

/** A conversation with everything next to it that there can be, at rest unless told otherwise. */
export function busyConversation(rest: Partial<ConversationView> = {}): ConversationView {
  return conversation(
    [
      ...turns(6),
      question('q', 'How would you greet in another language?'),
      answer('plan', '1. Take a language in `src/greet.ts`.\n2. Run its test.', { isPlan: true }),
    ],
    {
      branch: 'main-v2',
      branchLabel: 'How would you greet in another language?',
      branchCount: 3,
      lineage: [
        { branch: 'main', label: 'Main line', color: 0 },
        {
          branch: 'main-v2',
          label: 'How would you greet in another language?',
          color: 1,
          forkMessageId: 'q',
        },
      ],
      running: streaming('running', 'Once upon a time'),
      sideQuestions: [
        {
          branch: 'main-v3',
          branchId: 'side-1',
          question: 'What time is it?',
          answer: answer('s1', 'Late.'),
        },
        {
          branch: 'main-v4',
          branchId: 'side-2',
          question: 'And in the place that has the longest name of all?',
          answer: answer('s2', 'An hour later. '.repeat(40)),
        },
      ],
      todos: [
        { title: 'Find who greets', status: 'done' },
        { title: 'Take a language', status: 'done' },
        { title: 'Write a test that greets in each of them', status: 'in_progress' },
        { title: 'Run the tests', status: 'pending' },
        { title: 'Describe it', status: 'pending' },
      ],
      queue: [
        { id: 'q1', text: 'Then write a test for it that fails without the change.', isSteering: true },
        { id: 'q2', text: 'And run it', isSteering: false },
      ],
      review: {
        count: 4,
        added: 1_310,
        removed: 40,
        files: [
          {
            id: 'one',
            path: 'packages/conversation/src/branches/labels/labelOf.ts',
            lines: { added: 18, removed: 3 },
          },
          { id: 'two', path: 'notes.md', change: 'created', lines: { added: 1_292, removed: 0 } },
          { id: 'three', path: 'src/old.ts', change: 'deleted', lines: { added: 0, removed: 37 } },
          { id: 'four', path: 'media/icon.png' },
        ],
      },
      banners: [
        {
          id: 'no-folder',
          severity: 'info',
          title: 'No folder open',
          text: 'No folder open. Chats are shared across empty windows.',
        },
      ],
      ...rest,
    },
  );
}
