import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  AlternativeView,
  ChatFromHost,
  ConversationView,
} from '../../../../src/protocol/chatFromHost.ts';
import type { MessageView, ToolPartView } from '../../../../src/protocol/views.ts';
import type { PromptView } from '../../../../src/protocol/slashCommands.ts';
import { root } from '../../support/host.ts';
import type { Chat } from './chat.ts';
import { busyConversation } from './busyConversation.ts';
import { answer, askingCall, conversation, question, streaming, toolCall, turns } from './conversations.ts';
import { guardStates } from './guardStates.ts';
import { questionStates } from './questionStates.ts';
import { graphOf, type Graph } from './graph.ts';
import { sharedStates } from './sharedStates.ts';
import { stepStates } from './stepStates.ts';

/** Something the pages can show, to be looked at and to be checked in every theme and at every width. */
export type PageState = { readonly name: string } & (
  | { readonly surface: 'chat' | 'alternatives'; put(chat: Chat): Promise<void> }
  | { readonly surface: 'graph'; put(graph: Graph): Promise<void> }
);

const longName = 'attempt-with-a-name-that-is-much-too-long-for-a-narrow-side-bar';
const hash = 'a'.repeat(64);
const picture = readFileSync(path.join(root, 'media', 'icon.png')).toString('base64');
const usage = {
  inputTokens: 12_400,
  cachedTokens: 9_800,
  outputTokens: 1_340,
  reasoningTokens: 410,
  cost: 0.0342,
};
const model = { label: 'claude-sonnet-4-5', isDemo: false };

const code = `\`\`\`ts
export function counter(step = 1): () => number {
  let count = 0; // kept by the closure
  return () => (count += step);
}
\`\`\``;
const markdown = [
  '## Closures',
  'A **closure** keeps the `variables` of the [scope](https://example.com/scope) it was made in.',
  `1. Make one:\n\n   ${code.replaceAll('\n', '\n   ')}\n\n2. Call it\n   - once\n   - or *again*`,
  '- [x] done\n- [ ] to do',
  '| what | how long it lives, and why that is so |\n| - | - |\n| count | as long as the function that uses it |',
  '> AVeryLongWordThatHasNoPlaceToBreakButHasToBeBrokenAllTheSameOrElseThePageWouldScrollSideways',
  'Press <kbd>Ctrl</kbd> + <kbd>C</kbd>, and $e^{i\\pi} = -1$.\n\n---\n\nThe end.',
].join('\n\n');

const compactedTo: MessageView = {
  ...answer('s1', '## Task\n\nFind who says hello.\n\n## Files\n\n- `src/greet.ts`: says it'),
  role: 'note',
  report: {
    goal: 'main',
    kind: 'compacted' as const,
    count: 4,
    model: 'test-model',
    tokens: { before: 34_200, after: 1_180 },
  },
  usage,
};

/** A conversation whose first turns the model is sent a summary of. */
const compacted = conversation(
  [...turns(4), question('q9', 'Who says hello?'), compactedTo, answer('a9', 'It does.')],
  {
    usage,
    compaction: { messageId: 's1', until: turns(4).at(-1)?.id ?? '', kept: [], count: 4 },
  },
);

const chatState = (
  name: string,
  shown: ConversationView,
  and?: (chat: Chat) => Promise<unknown>,
): PageState => ({
  name,
  surface: 'chat',
  put: async (chat) => {
    await chat.show(shown);
    if (shown.usage) {
      const { branch, chat: of } = shown;
      const context = { tokens: 62_400, window: 200_000 };
      await chat.tell({ type: 'contextMeasured', chatId: of.id, branch, context });
    }
    await and?.(chat);
    await chat.frame();
  },
});

const image = {
  type: 'image',
  hash,
  mediaType: 'image/png',
  name: 'Screenshot 2026-05-04 at 12.00.00.png',
} as const;
const file = {
  type: 'file',
  path: 'src/a/path/that/is/rather/long/greet.ts',
  startLine: 3,
  endLine: 90,
} as const;

const conversationStates: readonly PageState[] = [
  chatState('empty', conversation()),
  chatState(
    'empty read-only',
    conversation([], {
      isReadOnly: true,
      banners: [
        {
          id: '1',
          severity: 'warning',
          title: 'Read-only',
          text: 'Another window writes these conversations. This one shows them, and takes over once that is closed.',
        },
      ],
    }),
  ),
  chatState(
    'usage of an answer',
    conversation(
      [question('q1', 'What is a closure?'), answer('a1', 'It keeps what it needs.', { model, usage })],
      {
        usage,
      },
    ),
    (chat) => chat.messages.nth(1).locator('.usage-button').click(),
  ),
  chatState(
    'talk',
    conversation(
      [
        question('q1', 'What is a closure, and what would I use it for?'),
        answer('a1', 'It keeps what it needs from where it was made.\n\n' + code, {
          model,
          usage,
          checkpoints: [
            'before the examples',
            'a name so long that it does not fit into one line of a side bar',
          ],
        }),
        question('q2', 'And now?'),
        answer('a2', 'Now you **use** it, see `src/counter.ts`.', { model, usage }),
      ],
      { usage, branchCount: 12, model: { id: 'x', label: 'claude-sonnet-4-5', isDemo: false } },
    ),
    (chat) => chat.messages.nth(1).hover(),
  ),
  chatState(
    'queued messages',
    conversation(turns(2), {
      running: streaming('m3', 'Once'),
      queue: [
        { id: 'q1', text: 'Then write a test for it that fails without the change.', isSteering: true },
        { id: 'q2', text: 'And run it', isSteering: false },
      ],
    }),
  ),
  chatState(
    'queue of an answer that failed',
    conversation(turns(2), { queue: [{ id: 'q1', text: 'And then?', isSteering: false }] }),
  ),
  chatState('keyboard on a message', conversation(turns(4), { branchCount: 3 }), async (chat) => {
    await chat.messages.nth(3).focus();
    await chat.page.keyboard.press('ArrowUp');
  }),
  chatState('keyboard on a button', conversation(turns(4), { branchCount: 3 }), async (chat) => {
    await chat.messages.nth(3).focus();
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Tab');
  }),
  chatState(
    'markdown',
    conversation([
      answer('a1', markdown, {
        parts: [
          { type: 'reasoning', text: 'They ask about closures.' },
          { type: 'text', text: markdown },
        ],
      }),
    ]),
  ),
  chatState(
    'right to left',
    conversation(
      [
        question('q1', 'هل تعمل هذه الشيفرة؟ انظر src/greet.ts من فضلك'),
        answer('a1', 'نعم، تعمل. الدالة `greet` تعيد **نصا**.\n\n- أولا\n- ثانيا\n\n> اقتباس\n\n' + code, {
          checkpoints: ['قبل التغيير'],
          versions: {
            number: 2,
            count: 3,
            before: { id: 'x', preview: 'لا' },
            after: { id: 'y', preview: 'ربما' },
          },
        }),
      ],
      { chat: { id: 'chat-1', title: 'هل تعمل هذه الشيفرة؟' }, branch: 'تجربة', branchCount: 2 },
    ),
    (chat) => chat.input.fill('شكرا جزيلا'),
  ),
  chatState(
    'plan that was carried out',
    conversation(
      [
        question('q1', 'Greet by name'),
        answer('a1', '1. Take a name in `src/greet.ts`.\n2. Run its test.', { isPlan: true }),
        question('q2', 'Implement this plan.'),
        answer('a2', '', {
          parts: [
            toolCall({
              name: 'edit_file',
              title: 'Edit src/greet.ts',
              icon: 'edit',
              input: '',
              output: 'Changed src/greet.ts.',
              changes: [
                {
                  before: 'export function greet(): string {\n  return "Hello";\n}\n',
                  after: 'export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n',
                },
                { before: 'greet();\n', after: 'greet("you");\n', cut: 1_200 },
              ],
            }),
            { type: 'text', text: 'It greets by name now.' },
          ],
        }),
      ],
      { mode: { id: 'plan', label: 'Plan', description: 'Only reads, and ends with a plan' } },
    ),
    async (chat) => {
      await chat.page.locator('.tool > summary').click();
      await chat.page.locator('.changes .line').first().waitFor();
    },
  ),
  chatState(
    'edits to review',
    conversation(turns(2), {
      review: {
        count: 103,
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
    }),
    (chat) => chat.openPanel('review'),
  ),
  chatState(
    'how answers end',
    conversation(
      [
        answer('a1', 'This far', {
          status: 'failed',
          error: 'The server closed the connection. Check your network, and try again.',
        }),
        question('q3', 'Once more'),
        answer('a3', 'This', { status: 'interrupted' }),
        answer('a4', 'Done what I could.', {
          notice: { text: 'It took 50 steps and waits for you.', canContinue: true },
        }),
      ],
      {
        running: {
          ...streaming('a5'),
          waiting: 'The server is busy. It is asked again in 8 seconds (2nd of 5 times).',
        },
      },
    ),
  ),
];

/** A call that has not ended yet. */
const working = (state: 'preparing' | 'running', title: string): ToolPartView => {
  const { duration: _none, ...call } = toolCall({ state, title, output: '' });
  return call;
};

const exploring = (
  state: ToolPartView['state'],
  tasks: NonNullable<ToolPartView['tasks']>,
): ConversationView => {
  const { duration, ...call } = toolCall({ name: 'explore', icon: 'telescope', state, output: '' });
  return conversation([
    question('q', 'Why is the build slow, and what do others do about it?'),
    answer('a', '', {
      parts: [
        { type: 'text', text: 'I look into it from several sides at once.' },
        {
          ...call,
          title: `Explore ${tasks.length} tasks`,
          tasks,
          ...(state === 'running' ? {} : { duration: duration ?? 0 }),
        },
      ],
    }),
  ]);
};

const tasksRunning: NonNullable<ToolPartView['tasks']> = [
  {
    title: 'How the bundle is put together',
    state: 'running',
    branch: 'main-v2',
    branchId: 'b1',
    steps: 3,
    step: 'Read esbuild.mjs:1–120',
    startedAt: Date.now() - 42_000,
    usage: { inputTokens: 12_400, outputTokens: 340 },
  },
  {
    title: 'Which tests take longest, and what they wait for',
    state: 'running',
    branch: 'main-v3',
    branchId: 'b2',
    steps: 7,
    step: 'Search for “setTimeout”',
    startedAt: Date.now() - 42_000,
    usage,
  },
  {
    title: 'What the cache does',
    state: 'running',
    branch: 'main-v4',
    branchId: 'b3',
    steps: 2,
    step: 'Writing the report',
    startedAt: Date.now() - 42_000,
  },
  { title: 'AVeryLongNameWithoutAPlaceToBreakThatDoesNotFitIntoANarrowSideBar', state: 'waiting', steps: 0 },
];

const tasksEnded: NonNullable<ToolPartView['tasks']> = [
  {
    title: 'How the bundle is put together',
    state: 'done',
    branch: 'main-v2',
    branchId: 'b1',
    steps: 3,
    duration: 41_300,
    usage: { inputTokens: 12_400, outputTokens: 340 },
  },
  {
    title: 'Which tests take longest, and what they wait for',
    state: 'failed',
    branch: 'main-v3',
    branchId: 'b2',
    steps: 7,
    duration: 90_100,
    usage,
    reason: 'Rate limited. Try again in 3600 s.',
  },
  {
    title: 'What the cache does',
    state: 'stopped',
    branch: 'main-v4',
    branchId: 'b3',
    steps: 2,
    duration: 12_000,
  },
  { title: 'What others do', state: 'interrupted', branch: 'main-v5', branchId: 'b4', steps: 1 },
];

const stoppedByBudget =
  'Stopped by your budget. The next request could take up to $0.42; $0.12 is left of $0.50 per message.';

const budgetStates: readonly PageState[] = [
  chatState(
    'budget reached before the first word',
    conversation([
      question('q1', 'What is a closure?'),
      { ...answer('a1', ''), parts: [], status: 'failed', error: stoppedByBudget, isAtBudget: true },
    ]),
  ),
  chatState(
    'budget reached within an answer',
    conversation([
      question('q1', 'What is a closure?'),
      {
        ...answer('a1', 'It keeps what it needs.', { model, usage }),
        status: 'failed',
        error: stoppedByBudget,
        isAtBudget: true,
        canContinue: true,
      },
    ]),
  ),
  chatState('summary up to here, with its size', {
    ...conversation([
      {
        ...compactedTo,
        report: {
          goal: 'main',
          kind: 'up-to-here',
          count: 14,
          model: 'claude-haiku-4-5',
          tokens: { before: 34_200, after: 1_180 },
          exploredBranch: 'main',
          exploredLabel: 'Main line',
        },
      },
      question('q9', 'Who says hello?'),
      answer('a9', 'It does.'),
    ]),
  }),
];

const exploreStates: readonly PageState[] = [
  chatState('explore four tasks running', exploring('running', tasksRunning)),
  chatState('explore ended', exploring('done', tasksEnded)),
  chatState(
    'explore interrupted, opened',
    exploring(
      'failed',
      tasksRunning.map(({ step: _step, startedAt: _startedAt, ...task }) => ({
        ...task,
        state: 'interrupted',
      })),
    ),
    (chat) => chat.page.locator('.tool summary').click(),
  ),
  chatState(
    'explore branch of a task',
    conversation([
      question('q', 'Why is the build slow?'),
      {
        ...question('task', 'Find out how the bundle is put together.\nReport the steps and their times.'),
        isTask: true,
      },
      answer('a', 'It is put together in **three** steps.'),
    ]),
  ),
];

const toolStates: readonly PageState[] = [
  chatState(
    'tools',
    conversation(
      [
        question('q1', 'Who says hello?'),
        answer('a1', '', {
          parts: [
            { type: 'text', text: 'I look around.' },
            toolCall({ name: 'checkpoint', title: 'Checkpoint: Find who says hello', icon: 'bookmark' }),
            toolCall({ title: 'Read src/a/path/that/is/so/long/that/it/does/not/fit/the/side/bar.ts' }),
            toolCall({ state: 'failed', output: 'There is no such file.', title: 'Read none.ts' }),
            toolCall({ state: 'denied', title: 'Edit .vscode/tasks.json', icon: 'edit' }),
            toolCall({
              title: 'npm test',
              icon: 'tools',
              output: '\u001b[32m✔ 12 passed\u001b[0m\n\u001b[31m✖ 1 failed\u001b[0m',
              duration: 83_000,
            }),
          ],
        }),
      ],
      { running: { ...streaming('a2'), parts: [working('running', 'List src')] } },
    ),
    async (chat) => {
      await chat.page.locator('.tool summary').nth(4).click();
      await chat.page.locator('.header').hover();
    },
  ),
  chatState(
    'approval',
    conversation([question('q1', 'Make it say good evening')], {
      running: {
        ...streaming('a2'),
        parts: [
          { type: 'text', text: 'I change the greeting.' },
          askingCall('ask-1'),
          askingCall('ask-2', {
            title: 'Edit src/a/path/that/is/so/long/that/it/does/not/fit/the/side/bar.ts',
            approval: {
              id: 'ask-2',
              question:
                'Allow edit to src/a/path/that/is/so/long/that/it/does/not/fit/the/side/package.json?',
              reason: 'Can run programs.',
              choices: ['once', 'deny'],
              covers: 'edits',
              hasChanges: false,
            },
          }),
          working('preparing', 'Edit'),
        ],
      },
    }),
    async (chat) => {
      await chat.button('More Ways to Allow').click();
      await chat.letStand();
      await chat.page.locator('.approval-button[aria-disabled="false"]').first().waitFor();
    },
  ),
  chatState(
    'commands',
    conversation(
      [
        question('q1', 'Do the tests pass?'),
        answer('a1', '', {
          parts: [
            toolCall({
              title: 'Run npm test',
              icon: 'terminal',
              input: '',
              output: 'Exit code 1 after 4.2 s.\n\n✔ 12 passed\n✖ 1 failed',
              command: { text: 'npm test', id: 'k1', exitCode: 1 },
              duration: 4_200,
            }),
            toolCall({
              title: 'Run git log',
              icon: 'terminal',
              command: { text: 'git log', id: 'k2', exitCode: 0 },
            }),
          ],
        }),
      ],
      {
        running: {
          ...streaming('a2'),
          parts: [
            toolCall({
              callId: 'c3',
              title: 'Run git push',
              icon: 'terminal',
              state: 'running',
              input: '',
              output: '[sudo] password for me: ',
              command: { text: 'git push' },
              waiting: { text: 'Nothing was written for 10 s. It seems to wait for a password.' },
            }),
            askingCall('ask-1', {
              title: 'Run find . -name',
              icon: 'terminal',
              approval: {
                id: 'ask-1',
                question: 'Allow running this command in packages/conversation?',
                command:
                  "find . -name '*.ts' -newer package.json -exec grep -l 'oldName' {} + | sort > /tmp/list.txt",
                reason: 'Runs other programs.',
                choices: ['once', 'deny'],
                covers: 'command',
                hasChanges: false,
              },
            }),
          ],
        },
      },
    ),
    (chat) => chat.page.locator('.tool summary').first().click(),
  ),
  chatState(
    'web pages',
    conversation([
      question('q1', 'How does it work?'),
      answer('a1', '', {
        parts: [
          toolCall({
            title: 'Fetch docs.example.com/guide/getting-started',
            icon: 'globe',
            input: '{\n  "url": "https://docs.example.com/guide/getting-started"\n}',
            output: 'URL: https://docs.example.com/guide/getting-started\nTitle: Getting Started',
            duration: 640,
          }),
          toolCall({
            title: 'Fetch intranet.local/',
            icon: 'globe',
            state: 'failed',
            output: 'intranet.local was not asked: it leads to this machine or to a private network.',
          }),
        ],
      }),
      answer('a2', 'It reads the pages you allow, see the guide.', {
        sources: [
          {
            title: 'Getting Started',
            host: 'docs.example.com',
            url: 'https://docs.example.com/guide/getting-started',
          },
          {
            title:
              'A title so long that it does not fit into one line of a side bar, \u202ehowever wide it is',
            host: 'xn--bcher-kva.example.com:8443',
            url: 'https://xn--bcher-kva.example.com:8443/b%C3%BCcher?page=2',
          },
          { title: 'MDN', host: 'developer.mozilla.org', url: 'https://developer.mozilla.org/' },
        ],
      }),
    ]),
  ),
  chatState(
    'web page to be fetched',
    conversation([question('q1', 'And what of the list?')], {
      running: {
        ...streaming('a3'),
        parts: [
          askingCall('ask-1', {
            title: 'Fetch docs.example.com/search?q=list',
            icon: 'globe',
            approval: {
              id: 'ask-1',
              question: 'Allow fetching this page from cdn.example.net? docs.example.com redirects there.',
              address:
                'http://cdn.example.net/search?q=a-list-with-a-name-that-is-rather-long&page=2&from=docs',
              reason: 'Connection is not encrypted.',
              choices: ['once', 'chat', 'workspace', 'deny'],
              covers: 'host',
              hasChanges: false,
            },
          }),
        ],
      },
    }),
  ),
  chatState(
    'reports and summaries',
    conversation([
      {
        ...answer('n1', 'It is `greet` in **src/greet.ts**.'),
        role: 'note',
        report: { goal: 'Find who says hello, wherever that may be', exploredBranch: longName },
      },
      {
        ...answer('n2', 'They talked about closures.\n\n- what they are\n- what for'),
        role: 'note',
        report: { goal: 'main', exploredBranch: 'main', kind: 'up-to-here', count: 12, model: 'test-model' },
      },
      {
        ...answer('n3', 'What the other branch found.'),
        role: 'note',
        report: { goal: longName, exploredBranch: longName, kind: 'brought-back', count: 2 },
      },
      {
        ...answer('n4', 'Left here by **another program**.'),
        role: 'note',
        report: { goal: 'main', kind: 'note', count: 0, model: 'Claude Code 2.1' },
      },
      question('q1', 'Go on'),
    ]),
    async (chat) => {
      await chat.page.locator('.report summary').first().click();
      await chat.messages.last().hover();
    },
  ),
  chatState('compacted', compacted),
  chatState('compacted, opened', compacted, async (chat) => {
    await chat.page.getByRole('button', { name: 'Show Messages' }).click();
    await chat.page.locator('.report summary').click();
  }),
  chatState(
    'compacted and cut off',
    conversation([question('q1', 'Look'), { ...compactedTo, canContinue: true }]),
  ),
  chatState(
    'compacting',
    conversation(turns(1), {
      running: { ...streaming('a9'), waiting: 'Compacting the conversation… (2/3)' },
    }),
  ),
  chatState(
    'full and not compacted',
    conversation([
      question('q1', 'Look through all of it'),
      answer('a1', '', {
        status: 'failed',
        error:
          'Context window of test-model exceeded. The conversation couldn’t be compacted. The model server needs a key, or refused the one it got. Run “Offshoot: Select Model › Set API Key…”.',
        canSummarize: true,
        canContinue: true,
      }),
    ]),
  ),
];

const samplePrompts: PromptView[] = [
  {
    name: 'release-notes',
    description: 'Write the notes of a release from what was merged since the last one',
    path: '.github/prompts/release-notes.prompt.md',
    takesInput: false,
  },
  {
    name: 'review',
    description: 'Review a file for one thing',
    hint: 'what to look for',
    path: '.offshoot/prompts/review.md',
    takesInput: true,
  },
  {
    name: 'broken',
    path: '.offshoot/prompts/broken.md',
    takesInput: false,
    problem: 'its front matter can’t be read (unexpected end)',
  },
];

const composerStates: readonly PageState[] = [
  chatState(
    'attachments',
    conversation(turns(2), { model: { id: 'x', label: 'Blind model', isDemo: false, takesImages: false } }),
    async (chat) => {
      await chat.tell({ type: 'attached', attachments: [image, file, { type: 'file', path: 'README.md' }] });
      await chat.input.fill('What is wrong with these?\nAnd why?');
    },
  ),
  chatState(
    'attachments of the editor and PDFs',
    conversation(turns(1), { model: { id: 'x', label: 'Blind model', isDemo: false } }),
    async (chat) => {
      await chat.tell({
        type: 'editorChanged',
        editor: {
          name: 'src/a/rather/long/name-of-a-file-that-does-not-fit.ts',
          startLine: 10,
          endLine: 24,
          isOn: true,
        },
      });
      await chat.tell({
        type: 'attached',
        attachments: [
          { type: 'context', of: 'folder', name: 'src' },
          { type: 'pdf', hash, name: 'A paper.pdf', size: 400_000, pages: 12 },
        ],
      });
      await chat.input.fill('What is this?');
    },
  ),
  chatState('attachments suggested', conversation(turns(1)), async (chat) => {
    await chat.tell({ type: 'editorChanged', editor: { name: 'src/greet.ts', isOn: false } });
  }),
  chatState(
    'attached PDFs, and tools that show pictures',
    conversation([
      question('q', '', {
        parts: [
          { type: 'text', text: 'Does the page look like the paper?' },
          { type: 'pdf', name: 'A paper.pdf', size: 400_000, pages: 12 },
        ],
      }),
      answer('a', 'It does.', {
        parts: [
          {
            type: 'tool',
            callId: 'c',
            name: 'screenshot',
            title: 'screenshot',
            icon: 'tools',
            state: 'done',
            input: '{}',
            output: 'Taken.',
            duration: 1_200,
            files: [
              { hash, mediaType: 'image/png', name: '1.png' },
              { hash: 'c'.repeat(64), mediaType: 'application/pdf', name: '2.pdf', pages: 3 },
            ],
          },
          { type: 'text', text: 'It does.' },
        ],
      }),
    ]),
    async (chat) => {
      await chat.reply('loadImage', { mediaType: 'image/png', data: picture });
    },
  ),
  chatState('file completion', conversation(turns(2)), async (chat) => {
    await chat.input.pressSequentially('look at @g');
    await chat.reply(
      'proposeFiles',
      { paths: ['src/greet.ts', 'src/a/path/that/is/rather/long/and/does/not/fit/group.ts', 'gulpfile.js'] },
      ({ query }) => query === 'g',
    );
    await chat.page.getByRole('option').first().waitFor();
  }),
  chatState('slash commands', conversation(turns(2)), async (chat) => {
    await chat.input.pressSequentially('/');
    await chat.reply('listPrompts', { prompts: samplePrompts });
    await chat.page.getByRole('option', { name: /^\/review/u }).waitFor();
  }),
  chatState('slash prompts', conversation(turns(2)), async (chat) => {
    await chat.input.pressSequentially('/re');
    await chat.reply('listPrompts', { prompts: samplePrompts });
    await chat.page.getByRole('option', { name: /^\/review/u }).waitFor();
    await chat.page.keyboard.press('ArrowDown');
  }),
  chatState(
    'prompt that was run',
    conversation([
      question('q', '', {
        hidden:
          '[The user runs the prompt file .github/prompts/review.prompt.md. This is what they ask:]\n\nReview it.',
        parts: [
          { type: 'text', text: '/review the names' },
          {
            type: 'prompt',
            name: 'review',
            path: '.github/prompts/review.prompt.md',
            settings: ['Ask', '3 tools'],
            missing: ['codebase', 'docs/a-guide-that-is-not-there.md'],
          },
          { type: 'instructions', path: '.github/instructions/typescript.instructions.md' },
          { type: 'instructions', path: 'packages/one/AGENTS.md', leftOut: 1_200 },
        ],
      }),
    ]),
  ),
  chatState(
    'attached',
    conversation([
      question('q', '', {
        parts: [
          { type: 'text', text: 'What is this?' },
          image,
          file,
          { type: 'file', path: 'README.md', leftOut: 12_000 },
        ],
      }),
      question('q2', '', { parts: [{ ...image, hash: 'b'.repeat(64) }] }),
    ]),
    async (chat) => {
      await chat.reply(
        'loadImage',
        { mediaType: 'image/png', data: picture },
        (asked) => asked.hash === hash,
      );
      await chat.reply('loadImage', { mediaType: 'image/png' }, (asked) => asked.hash !== hash);
    },
  ),
  chatState(
    'warnings',
    conversation(turns(2), {
      banners: [
        {
          id: '1',
          severity: 'info',
          title: 'No folder open',
          text: 'No folder is open: these conversations are kept for all windows without one.',
        },
        { id: '2', severity: 'warning', title: 'Read-only', text: 'Another window writes.' },
        {
          id: '3',
          severity: 'error',
          title: 'Conversations recovered',
          text: 'A damaged file was set aside as offshoot.db.damaged-2026-05-04.',
        },
      ],
      contextWarning: { text: 'This conversation takes 82 % of what claude-sonnet-4-5 can read.' },
    }),
    (chat) =>
      chat.tell({ type: 'actionFailed', text: 'That did not work. Try again.' } satisfies ChatFromHost),
  ),
  chatState(
    'by the way',
    conversation(turns(2), {
      running: streaming('m3', 'Once upon a time'),
      sideQuestions: [
        { branch: 'main-v2', question: 'What time is it?', answer: answer('s1', 'Late. `date` knows.') },
        {
          branch: 'main-v3',
          question: 'And in the place that has the longest name of all?',
          answer: streaming('s2', 'An hour'),
        },
      ],
    }),
    (chat) => chat.input.fill('And tomorrow?'),
  ),
  chatState('everything next to the conversation', busyConversation(), (chat) =>
    chat.openPanel('sideQuestions'),
  ),
  chatState('files over the chat', conversation(turns(4)), (chat) =>
    chat.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      document.querySelector('.composer').dispatchEvent(new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`),
  ),
];

const before = {
  id: 'a0',
  preview: 'The first answer was another one, and it was so long that it had to be cut',
};
const after = { id: 'a2', preview: 'And so was the third' };
const lineage = [
  { branch: 'main', color: 0 },
  { branch: 'main-v2', color: 1, forkMessageId: 'q' },
  { branch: longName, color: 2, forkMessageId: 'q2' },
];
const versioned = conversation(
  [
    question('q', 'How does it work?', { line: 0 }),
    answer('a1', 'Like this.', { versions: { number: 2, count: 3, before, after }, line: 1 }),
    question('q2', 'And then?', { line: 2, versions: { number: 1, count: 12, after } }),
    answer('b', 'Long. '.repeat(400), { line: 2, usage, model }),
  ],
  { branch: longName, branchCount: 12, lineage, usage },
);
const branchStates: readonly PageState[] = [
  chatState('looking back', conversation(turns(4), { usage, branchCount: 3 }), async (chat) => {
    await chat.button('Look back along this branch').click();
    const shown = { messageId: turns(4)[2]?.id ?? '', place: 2, count: 1_200, files: 12 };
    const text = 'What was asked there, at more length than a narrow side bar has room for';
    const moment = { ...shown, text };
    await chat.reply('lookBack', { moment: { ...moment, place: 1_199, files: 0 } });
    await chat.page.getByRole('slider').press('Home');
    await chat.reply('lookBack', { moment }, ({ to }) => to === 0);
    await chat.page.locator('.message.previewed').waitFor();
  }),
  chatState('versions', versioned, async (chat) => {
    await chat.button(`Version 1 of 3: ${before.preview}`).hover();
    await chat.page.locator('.version-preview:visible').waitFor();
  }),
  chatState('edit in place', versioned, async (chat) => {
    await chat.messages.nth(2).hover();
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    await chat.button('Fold the answer').click();
  }),
];

const column = (branch: string, rest: Partial<AlternativeView> = {}): AlternativeView => ({
  branch,
  isActive: false,
  messages: [
    answer(`${branch}-a`, `${markdown.slice(0, 120)}\n\n${code}`, {
      model: { label: 'test-model', isDemo: false, temperature: 0.7 },
    }),
  ],
  duration: 2_340,
  usage,
  goesOn: false,
  ...rest,
});
const alternatives = (shown: readonly AlternativeView[], rest: object = {}): Record<string, unknown> => ({
  type: 'alternativesChanged',
  place: { chatId: 'chat-1', questionId: 'q' },
  alternatives: {
    chatId: 'chat-1',
    questionId: 'q',
    question: 'How would you split this function, and why?\nIt has grown long.',
    alternatives: shown,
    isReadOnly: false,
    ...rest,
  },
});
const writing = (): AlternativeView => {
  const {
    duration: _none,
    usage: _nor,
    ...rest
  } = column('main-v3', { messages: [streaming('s', 'It depends')] });
  return rest;
};
const triesState = (name: string, message: Record<string, unknown>): PageState => ({
  name,
  surface: 'alternatives',
  put: async (chat) => {
    await chat.tell(message);
    await chat.frame();
  },
});
const triesStates: readonly PageState[] = [
  triesState(
    'alternatives',
    alternatives([
      column('main', { isActive: true, goesOn: true }),
      column(longName, {
        messages: [
          answer('f', 'So', { status: 'failed', error: 'The server closed the connection.', model }),
        ],
      }),
      writing(),
    ]),
  ),
  triesState(
    'tries read-only',
    alternatives([column('main', { isActive: true }), column('main-v2')], { isReadOnly: true }),
  ),
  triesState(
    'tries stopped by the budget',
    alternatives([
      column('main', { isActive: true }),
      column('main-v2', {
        messages: [
          {
            ...answer('b', ''),
            parts: [],
            model,
            status: 'failed',
            error: stoppedByBudget,
            isAtBudget: true,
          },
        ],
      }),
      column(longName, {
        messages: [
          answer('c', 'It depends.', {
            model,
            status: 'failed',
            error: stoppedByBudget,
            isAtBudget: true,
            canContinue: true,
          }),
        ],
      }),
    ]),
  ),
  triesState('tries without answers', alternatives([])),
  triesState('tries gone', { type: 'alternativesChanged', place: { chatId: 'chat-1', questionId: 'q' } }),
];

const forked = graphOf([-1, 0, 1, 2, 3, 4, 1, 6, 6, 3], {
  branches: [
    { name: 'main', headMessageId: 'm5', isActive: false, isArchived: false },
    { name: 'main-v2', headMessageId: 'm7', isActive: true, isArchived: false },
    { name: longName, headMessageId: 'm8', isActive: false, isArchived: true },
    { name: 'main-v3', headMessageId: 'm9', isActive: false, isArchived: false, activity: 'streaming' },
    { name: 'main-v4', headMessageId: 'm4', isActive: false, isArchived: false, activity: 'asking' },
  ],
  checkpoints: [
    { name: 'before the examples', messageId: 'm3' },
    { name: 'قبل التغيير', messageId: 'm2' },
  ],
});
const textOf = (id: string): string =>
  id === 'm6'
    ? 'هل تعمل هذه الشيفرة؟'
    : `What ${id} says, in words enough to reach the end of a narrow line and beyond`;
const drawForked = async (graph: Graph): Promise<void> => {
  await graph.tell(forked);
  await graph.answer(textOf);
};
const graphStates: readonly PageState[] = [
  { name: 'graph', surface: 'graph', put: drawForked },
  {
    name: 'graph with a preview',
    surface: 'graph',
    put: async (graph) => {
      await drawForked(graph);
      await graph.row('m5').click({ modifiers: ['Control'] });
      await graph.row('m2').click({ modifiers: ['Control'] });
      await graph.list.focus();
      await graph.press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await graph.preview('m3', { text: `What m3 says.\n\n${markdown}`, isCut: true });
    },
  },
  {
    name: 'graph of nothing',
    surface: 'graph',
    put: async (graph) => {
      await graph.tell(
        graphOf([], { branches: [{ name: 'main', headMessageId: null, isActive: true, isArchived: false }] }),
      );
    },
  },
  {
    name: 'graph that failed',
    surface: 'graph',
    put: async (graph) => {
      await drawForked(graph);
      await graph.tell({ type: 'actionFailed', text: 'That branch is no longer there. Choose another one.' });
    },
  },
];

/** Every capability of the pages, in some state in which there is something to see. */
export const pageStates: readonly PageState[] = [
  ...conversationStates,
  ...toolStates,
  ...sharedStates,
  ...stepStates,
  ...budgetStates,
  ...exploreStates,
  ...guardStates,
  ...questionStates,
  ...composerStates,
  ...branchStates,
  ...triesStates,
  ...graphStates,
];
