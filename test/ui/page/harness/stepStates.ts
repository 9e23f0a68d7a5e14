import type { ConversationView } from '../../../../src/protocol/chatFromHost.ts';
import type { MessageView, ToolPartView } from '../../../../src/protocol/views.ts';
import { answer, conversation, question, streaming, toolCall } from './conversations.ts';
import type { Chat } from './chat.ts';
import type { PageState } from './states.ts';

const model = { label: 'claude-sonnet-4-5', isDemo: false };
const usage = {
  inputTokens: 84_400,
  cachedTokens: 79_800,
  outputTokens: 6_340,
  reasoningTokens: 1_410,
  cost: 0.1342,
};

/** A call that only looked at something. */
export const look = (callId: string, kind: 'file' | 'search', of: string): ToolPartView =>
  kind === 'file'
    ? toolCall({ callId, title: `Read ${of}`, reading: { kind, of } })
    : toolCall({ callId, title: `Search for “${of}”`, icon: 'search', reading: { kind, of: '' } });

const edit = (callId: string, path: string) =>
  toolCall({ callId, name: 'edit_file', title: `Edit ${path}`, icon: 'edit' });

/** An answer of three steps, each a message of its own. */
export const longRun: readonly MessageView[] = [
  question('q1', 'Greet in both languages, and test it'),
  answer('s1', '', {
    model,
    parts: [
      { type: 'reasoning', text: 'First I look where it says hello.', duration: 12_300 },
      { type: 'text', text: 'I’ll look at how it greets now.' },
      look('c1', 'search', 'hello'),
      look('c2', 'file', 'src/greet.ts'),
      { type: 'nothing' },
      look('c3', 'file', 'src/words.ts'),
      look('c4', 'file', 'test/greet.test.ts'),
      { type: 'nothing' },
      { type: 'text', text: 'Both words go into one table.' },
      edit('c5', 'src/greet.ts'),
      edit('c6', 'src/words.ts'),
    ],
    step: 'Edited 2 files',
  }),
  answer('s2', '', {
    model,
    parts: [
      toolCall({
        callId: 'c7',
        name: 'run_command',
        title: 'Run npm test -- --grep "greets in a language that takes a very long name"',
        icon: 'terminal',
        command: { text: 'npm test', id: 'x', exitCode: 0 },
        duration: 41_000,
      }),
    ],
    step: 'Ran npm test -- --grep "greets in a language that takes a…',
  }),
  answer('s3', 'It greets in **both** languages now, and the tests pass.', {
    model,
    turn: { duration: 125_000, steps: 5, usage },
  }),
];

export const todos: NonNullable<ConversationView['todos']> = [
  { title: 'Find where it says hello', status: 'done' },
  { title: 'Put the words of both languages into one table', status: 'done' },
  { title: 'Write a test that greets in a language whose name is longer than a line', status: 'in_progress' },
  { title: 'Run the tests', status: 'pending' },
  { title: 'أضف الترجمة العربية', status: 'pending' },
];

const stepState = (
  name: string,
  shown: ConversationView,
  and?: (chat: Chat) => Promise<unknown>,
): PageState => ({
  name,
  surface: 'chat',
  put: async (chat) => {
    await chat.show(shown);
    await and?.(chat);
    await chat.frame();
  },
});

/** Answers of many steps: what they have to do, what they did, and what they took. */
export const stepStates: readonly PageState[] = [
  stepState('steps of an answer', conversation(longRun, { todos }), async (chat) => {
    await chat.page.locator('.turn .usage-button').click();
    await chat.messages.nth(1).focus();
  }),
  stepState(
    'steps on their way',
    conversation(longRun.slice(0, 3), {
      todos,
      running: {
        ...streaming('s3'),
        model,
        parts: [
          look('d1', 'search', 'hallo'),
          look('d2', 'file', 'src/a.ts'),
          look('d3', 'file', 'src/b.ts'),
          look('d4', 'file', 'a/path/that/is/so/long/that/it/does/not/fit/into/the/side/bar/at/all.ts'),
        ],
      },
    }),
    async (chat) => {
      await chat.openPanel('todos');
      await chat.page.locator('.readings').first().locator('summary').first().click();
    },
  ),
  stepState(
    'steps rewound to',
    conversation(
      [...longRun.slice(0, 2)].map((message) =>
        message.id === 's1' ? { ...message, canContinue: true } : message,
      ),
      { todos: todos.map(({ title }) => ({ title, status: 'done' })) },
    ),
  ),
];
