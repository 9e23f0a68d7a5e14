import assert from 'node:assert/strict';
import {
  answer,
  finish,
  lastQuestion,
  pause,
  say,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const exploration: readonly Reply[] = [
  [say('I look around first.'), ...useTools(['checkpoint', { goal: 'Find who says hello' }])],
  [...useTools(['search_files', { query: 'greet' }], ['read_file', { path: 'src/greet.ts' }])],
  [pause('report'), ...useTools(['rewind', { report: 'It is `greet` in **src/greet.ts**.' }])],
  answer('The function greet does.'),
];

function script(request: RecordedRequest): Reply {
  const question = lastQuestion(request);
  if (question.includes('<report') || question.startsWith('explore')) {
    const isReported = question.includes('<report');
    return (isReported ? exploration[3] : exploration[toolRounds(request)]) ?? answer('?');
  }
  if (question.startsWith('read')) {
    return toolResultsOf(request).length === 0
      ? [say('Let me read it.'), pause('call'), ...useTools(['read_file', { path: 'notes.md' }])]
      : answer('That is what the notes say.');
  }
  return answer(`You said ${question}`);
}

/** How often the model has called tools since the last question. */
function toolRounds({ body }: RecordedRequest): number {
  return body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
}

describe('an answer that uses tools', () => {
  const use = useChat(script);

  it('shows each call folded, with what it does and how long it took, and opens by keyboard', async () => {
    const { chat, server, workbench } = use();
    await chat.send('read the notes');
    await chat.message('Let me read it.').waitFor();
    server.release('call');
    await chat.answered(1);
    const call = chat.frame.locator('.tool');
    assert.equal(await call.count(), 1);
    await soon.match(() => call.innerText(), /Read notes\.md/);
    await soon.match(() => call.locator('.tool-time').innerText(), /\d+(\.\d)? m?s/);
    assert.equal(await call.locator('.tool-body').count(), 0);
    await call.locator('summary').focus();
    await workbench.page.keyboard.press('Enter');
    await call.locator('.tool-body').getByText('notes.md, lines 1').waitFor();
    await soon.match(() => call.locator('pre').first().innerText(), /"path": "notes.md"/);
    await call.getByRole('button', { name: 'Open in Editor' }).click();
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /^Input\sof\sread_file$/ }).waitFor();
    await lines.filter({ hasText: /notes\.md,\slines\s1/ }).waitFor();
    await workbench.screenshot('tool call in the editor');
    await call.locator('summary').focus();
    await workbench.page.keyboard.press('Enter');
    await call.locator('.tool-body').waitFor({ state: 'detached' });
    await chat.shows(['read the notes', 'Let me read it.', 'That is what the notes say.']);
  });

  it('explores from its checkpoint and goes back with a report; the tree shows what was explored by its goal', async () => {
    const { chat, server, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.send('explore: who says hello?');
    await chat.frame.locator('.tool', { hasText: 'Checkpoint: Find who says hello' }).waitFor();
    await chat.frame.locator('.tool.done', { hasText: 'Read src/greet.ts' }).waitFor();
    await chat.onBranch('main');
    server.release('report');
    await chat.onBranch('main-v2');
    await chat.message('The function greet does.').waitFor();
    const note = chat.frame.locator('.report');
    await soon.match(() => note.innerText(), /Explored: Find who says hello/);
    assert.equal(await chat.frame.locator('.tool', { hasText: 'Read src/greet.ts' }).count(), 0);

    const explored = workbench.tree.row('Find who says hello');
    await explored.waitFor();
    await until(
      async () => (await workbench.tree.rows()).some(({ description }) => description.startsWith('explored')),
      'the tree to say where it was explored',
    );
    await note.locator('summary').click();
    await note.getByText('It is greet in src/greet.ts.').waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`tools ${theme}`);
    }
    await note.getByRole('button', { name: 'Show what was explored' }).click();
    await chat.onBranch('main');
    await chat.frame.locator('.tool', { hasText: 'Rewind with a report' }).waitFor();
    await workbench.setSidebarWidth(300);
    await workbench.screenshot('tools at 300 pixels');
  });
});

describe('an answer at its limit of steps', () => {
  const use = useChat(
    (request) =>
      toolResultsOf(request).length < 2 ? useTools(['list_files', {}]) : [say('Both lists.'), finish()],
    { settings: { 'offshoot.tools.maxSteps': 1 } },
  );

  it('waits with a note, and goes on when the user says so', async () => {
    const { chat } = use();
    await chat.send('list twice');
    const goOn = chat.frame.getByRole('button', { name: 'Continue' });
    await chat.frame.locator('.status.notice', { hasText: 'waits for you' }).waitFor();
    await goOn.click();
    await until(async () => (await chat.frame.locator('.tool').count()) === 2, 'the second call');
    await goOn.last().click();
    await chat.message('Both lists.').waitFor();
  });
});
