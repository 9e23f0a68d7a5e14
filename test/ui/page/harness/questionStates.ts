import type { QuestionsView, ToolPartView } from '../../../../src/protocol/views.ts';
import type { Chat } from './chat.ts';
import { answer, askingCall, conversation, question, streaming, toolCall } from './conversations.ts';

export const askedQuestions: QuestionsView['asked'] = [
  {
    question: 'Where should the chats be stored?',
    options: [
      { label: 'SQLite', detail: 'A file in the storage folder. Nothing to set up.' },
      { label: 'PostgreSQL', detail: 'A server that several people share.' },
    ],
    several: false,
  },
  {
    question: 'Which systems?',
    options: [{ label: 'Windows' }, { label: 'macOS' }, { label: 'Linux' }],
    several: true,
  },
];

export function questionsCall(questions: QuestionsView): ToolPartView {
  const { approval: _none, ...call } = askingCall('call', {
    name: 'ask_user',
    title: 'Ask 2 questions',
    icon: 'comment-discussion',
    input: '',
    questions,
  });
  return call;
}

const answered: QuestionsView['asked'] = askedQuestions.map((each, index) => ({
  ...each,
  answer:
    index === 0 ? { chosen: [0], text: '' } : { chosen: [0, 2], text: 'and whatever else VS Code runs on' },
}));

/** Of what the agent asks, and of plans. */
export const questionStates = [
  {
    name: 'questions of the agent',
    surface: 'chat' as const,
    put: async (chat: Chat): Promise<void> => {
      await chat.show(
        conversation([question('q', 'Plan how chats are stored')], {
          running: {
            ...streaming('a'),
            parts: [
              { type: 'text', text: 'Two things are open.' },
              questionsCall({ id: 'ask-1', asked: askedQuestions, isAnswered: false }),
            ],
          },
        }),
      );
      await chat.page.getByRole('radio', { name: 'SQLite' }).check();
      await chat.page.getByRole('checkbox', { name: 'Windows' }).check();
    },
  },
  {
    name: 'questions that were answered, and a plan that was begun',
    surface: 'chat' as const,
    put: async (chat: Chat): Promise<void> => {
      await chat.show(
        conversation(
          [
            question('q', 'Plan how chats are stored'),
            answer('a', '', {
              isPlan: true,
              parts: [
                toolCall({
                  name: 'ask_user',
                  title: 'Ask 2 questions',
                  icon: 'comment-discussion',
                  input: '',
                  output: '',
                  questions: { asked: answered, isAnswered: true },
                }),
                { type: 'text', text: '- [ ] Open the file\n- [ ] Lock it\n  - [ ] Test that' },
              ],
            }),
            question('q2', 'Implement this plan.'),
            answer('a2', 'Two of three are done.'),
          ],
          { canHaveOwnFiles: true, plan: { done: 2, count: 3, isBegun: true } },
        ),
      );
      await chat.openPanel('plan');
    },
  },
];
