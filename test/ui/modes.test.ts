import assert from 'node:assert/strict';
import { answer, lastQuestion, type RecordedRequest, type Reply } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

function script(request: RecordedRequest): Reply {
  const question = lastQuestion(request);
  if (question.startsWith('Carry out')) return answer('All of it is done.');
  return answer('1. Greet in `src/greet.ts`.\n2. Run its test.');
}

describe('modes', () => {
  const use = useChat(script);

  /** The tools that the last request offered. */
  const offered = (): string[] =>
    (use().server.requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  const modeButton = () => use().chat.frame.locator('.mode-button');
  const selectMode = async (name: string): Promise<void> => {
    await modeButton().click();
    await use().workbench.quickInput.choose(name);
    await modeButton().filter({ hasText: name }).waitFor();
  };

  it('asks for a plan, with tools that only read', async () => {
    const { chat } = use();
    await selectMode('Plan');
    await chat.ask('Greet by name');
    await chat.frame.getByRole('button', { name: 'Carry Out', exact: true }).waitFor();
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('edit_file'), offered().join());
  });

  it('has the plan carried out on a branch of its own, with all tools', async () => {
    const { chat } = use();
    await chat.frame.getByRole('button', { name: 'Carry Out', exact: true }).click();
    await chat.message('All of it is done.').waitFor();
    await soon.equal(async () => (await chat.texts()).at(-2), 'Carry out this plan.');
    await modeButton().filter({ hasText: 'Agent' }).waitFor();
    assert.ok(offered().includes('edit_file'));
    await chat.onBranch('main-v2');
  });

  it('has it carried out as the user has edited it, on another branch', async () => {
    const { chat, workbench } = use();
    await workbench.tree.leavesMain();
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await chat.frame.getByRole('button', { name: 'Edit Plan' }).click();
    const editor = workbench.page.locator('.editor-instance .view-lines', { hasText: 'src/greet.ts' });
    await editor.click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('\n3. Say so in the notes.');
    await workbench.screenshot('modes plan');
    await workbench.page.getByRole('button', { name: 'Carry Out This Plan' }).first().click();
    await chat.onBranch('main-v3');
    await chat.message('All of it is done.').waitFor();
    await soon.match(
      async () => (await chat.texts()).at(-2) ?? '',
      /^Carry out the edited plan:\s+1\. .+\s+3\. Say so/s,
    );
    await until(async () => (await editor.count()) === 0, 'the plan to be closed');
    await workbench.tree.click('main');
    await chat.shows(['Greet by name', 'Greet in src/greet.ts.Run its test.']);
  });

  it('is still there after a reload, and answers only in Ask', async () => {
    const { chat, workbench } = use();
    await selectMode('Ask');
    await workbench.reloadByCommand();
    await workbench.openOffshoot();
    await modeButton().filter({ hasText: 'Ask' }).waitFor();
    await chat.ask('What greets?');
    assert.ok(!offered().includes('edit_file'));
    assert.equal(
      await chat.frame.getByRole('button', { name: 'Carry Out', exact: true }).count(),
      1,
      'only of the plan',
    );
    await selectMode('Agent');
  });
});
