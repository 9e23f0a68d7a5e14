import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const evil = 'invoice\u202Egpj.exe';

/** Notes and keeps what the question says, then answers. */
const keeper: Script = (request) => {
  const question = lastQuestion(request);
  const isAnswered = request.body.messages.at(-1)?.role === 'tool';
  if (isAnswered) return answer(`Kept for ${question}`);
  return useTools(
    ['set_state', { key: 'mood', value: { of: question } }],
    ['save_artifact', { name: 'plan.md', content: `# Plan\n\n- ${question}\n`, mediaType: 'text/markdown' }],
    ...(question === 'first' ? [['save_artifact', { name: evil, content: 'harmless' }] as const] : []),
  );
};

describe('the Context view', () => {
  const use = useChat(keeper, { viewport: { width: 1280, height: 1100 } });
  const rowsAre = async (expected: readonly string[]): Promise<void> => {
    let last: string[] = [];
    await until(
      async () => {
        const rows = await use().workbench.contextView.rows();
        last = rows.map(
          ({ label, description, level, expanded }) =>
            `${'  '.repeat(level - 1)}${label}: ${description}${expanded === false ? ' (collapsed)' : ''}`,
        );
        return expected.every((line) => last.some((row) => row.startsWith(line)));
      },
      `rows that begin ${JSON.stringify(expected)}`,
    ).catch((error: unknown) => {
      throw new Error(`The rows are ${JSON.stringify(last)}.`, { cause: error });
    });
  };
  const editorShows = (text: string): Promise<void> =>
    use()
      .workbench.page.locator('.editor-instance .view-lines', { hasText: text.replaceAll(' ', '\u00A0') })
      .first()
      .waitFor();

  before('ask twice', async () => {
    const { chat, workbench } = use();
    await workbench.setSidebarWidth(300);
    for (const question of ['first', 'second']) {
      await chat.send(question);
      await chat.message(`Kept for ${question}`).waitFor();
      await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
    }
    await workbench.tree.fold();
    await workbench.contextView.open();
    await workbench.contextView.setHeight(450);
  });

  it('shows state and artifacts at the head, and what everything takes', async () => {
    await rowsAre([
      'System prompt: ',
      'Tools: ',
      'Messages: ',
      'State: 1',
      '  mood: {"of":"second"}',
      'Artifacts: 2',
      '  invoice‹U+202E›gpj.exe: version 0',
      '  plan.md: version 1',
    ]);
    const { workbench } = use();
    const header = workbench.contextView.pane.locator('.pane-header');
    await soon.match(() => header.innerText(), /Main line · [\d.,]+k?/i);
    await workbench.screenshot('context view');
  });

  it('opens an artifact, compares two of its versions and saves one', async () => {
    const { workbench } = use();
    await workbench.contextView.click('plan.md');
    await editorShows('- second');
    await workbench.contextView.pick('plan.md', 'Compare with Another Version…');
    await workbench.quickInput.row('Version 0').click();
    await workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await editorShows('- first');
    await workbench.screenshot('context compare');
  });

  it('saves an artifact as a file, under a name that is its own', async () => {
    const { workbench } = use();
    await workbench.contextView.pick('plan.md', 'Save Artifact As…');
    await workbench.quickInput.shown('Save Artifact As');
    await until(
      async () => (await workbench.quickInput.value()).endsWith('/plan.md'),
      'a name for the file to be proposed',
    );
    await workbench.quickInput.answer(path.join(workbench.folder, 'saved plan.md'));
    await workbench.quickInput.hidden();
    await until(
      async () =>
        (await readFile(path.join(workbench.folder, 'saved plan.md'), 'utf8').catch(() => '')) ===
        '# Plan\n\n- second\n',
      'the file',
    );
  });

  it('opens the value of a key as JSON', async () => {
    const { workbench } = use();
    await workbench.contextView.click('mood');
    await editorShows('"of": "second"');
  });

  it('goes along when one rewinds and switches', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.message('Kept for first'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await rowsAre(['  mood: {"of":"first"}', '  plan.md: version 0']);
    await workbench.runCommand('offshoot.switchBranch');
    await workbench.quickInput.choose('Main line');
    await rowsAre(['  mood: {"of":"second"}', '  plan.md: version 1']);
  });

  it('shows the whole context as a document that follows the conversation', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.inspectContext');
    await editorShows('# Context of first');
    await editorShows('- Branch: Main line');
    await workbench.screenshot('context document');
    await workbench.contextMenu.pickOn(chat.message('Kept for first'), 'Rewind to Here');
    await chat.onBranch('main-v3');
    await editorShows('- Branch: New branch');
  });

  it('leads to the instructions of the chat, which mark what is wrong in them', async () => {
    const { workbench } = use();
    await workbench.contextView.expand('Instructions');
    await workbench.contextView.click('Of this chat');
    await editorShows('# role =');
    const editor = workbench.page.locator('.editor-instance .monaco-editor').first();
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.type('roles = "A gardener"');
    await editor.locator('.squiggly-error').waitFor();
    await workbench.screenshot('context instructions');
    await workbench.page.keyboard.press('ControlOrMeta+a');
    await workbench.page.keyboard.type('role = "A gardener"');
    await editor.locator('.squiggly-error').waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await rowsAre(['  Of this chat: version 0']);
  });

  it('brings a message into view from its row', async () => {
    const { chat, workbench } = use();
    await workbench.contextView.expand('Messages');
    await workbench.contextView.click('first');
    await chat.message('first').waitFor();
    await workbench.screenshot('context messages');
  });
});
