import assert from 'node:assert/strict';
import { answer, lastQuestion, toolResultsOf, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

/** Reads a file when it is asked to, whether it may or not. */
const script: Script = (request) =>
  lastQuestion(request) === 'read' && toolResultsOf(request).length === 0
    ? useTools(['search_files', { query: 'x' }])
    : answer(`Done: ${lastQuestion(request)}`);

describe('selecting tools', () => {
  const use = useChat(script);
  const offered = (): string[] =>
    (use().server.requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  const open = async (): Promise<void> => {
    await use().workbench.runCommand('offshoot.selectTools');
    await use().workbench.page.locator('.quick-input-widget:visible').waitFor();
  };
  const title = () => use().workbench.page.locator('.quick-input-title');

  /** Waits until the Context view says that search_files is off: what is selected is saved after the list has closed. */
  const isOff = async (): Promise<void> => {
    const { contextView, tree } = use().workbench;
    await tree.fold();
    await contextView.open();
    await contextView.expand('Tools');
    await until(async () => {
      const rows = await contextView.rows();
      return rows.some((row) => row.label === 'search_files' && row.description === 'You turned it off.');
    }, 'the tool that is off');
  };

  it('turns one off, and tells what the others take', async () => {
    const { chat, workbench } = use();
    await chat.ask('first');
    assert.ok(offered().includes('search_files'));
    await open();
    await until(async () => /\(25 of 25, [\d,]+ tokens\)/.test(await title().innerText()), 'all tools');
    await workbench.screenshot('select tools');
    await workbench.quickInput.toggle('search_files');
    await until(async () => (await title().innerText()).includes('(24 of 25,'), 'one tool less');
    await workbench.quickInput.accept();
    await workbench.quickInput.hidden();
    await isOff();
    await chat.ask('second');
    assert.ok(!offered().includes('search_files'), offered().join());
    assert.equal(offered().length, 24);
  });

  it('refuses the call of one that is off', async () => {
    const { chat, server } = use();
    await chat.ask('read');
    const [result] = toolResultsOf(server.requests.at(-1) ?? assert.fail('there was a request'));
    assert.match(JSON.stringify(result), /search_files/);
    assert.doesNotMatch(JSON.stringify(result), /No match|matches/);
  });

  it('says in the Context view what is off, and leads there from it', async () => {
    const { workbench } = use();
    await isOff();
    await workbench.contextView.press('Tools', 'Select Tools…');
    await until(async () => (await title().innerText()).includes('(24 of 25,'), 'the same tools');
  });

  it('saves what is selected as a set, and takes it up again', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    await page.locator('.quick-input-widget').getByRole('button', { name: 'Save as a Set…' }).click();
    await quickInput.shown('Save as a Set');
    await quickInput.answer('Without search');
    await until(async () => (await title().innerText()).includes('(24 of 25,'), 'the tools again');
    await quickInput.toggle('search_files');
    await quickInput.toggle('get_diagnostics');
    await until(async () => (await title().innerText()).includes('(24 of 25,'), 'another selection');
    await page.locator('.quick-input-widget').getByRole('button', { name: 'Use a Saved Set…' }).click();
    await quickInput.shown('Use a Saved Set');
    await quickInput.choose('Without search');
    await until(async () => (await title().innerText()).includes('(24 of 25,'), 'the set');
    await quickInput.accept();
    await quickInput.hidden();
    await isOff();
    await chat.ask('third');
    assert.ok(!offered().includes('search_files'), offered().join());
    assert.ok(offered().includes('get_diagnostics'), offered().join());
  });
});
