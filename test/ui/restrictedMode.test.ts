import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useChat } from './support/useChat.ts';

describe('in a workspace that is not trusted', () => {
  const use = useChat(undefined, { untrusted: true });
  beforeEach('begin a chat', () => use().chat.startNew());

  it('the model is offered no tools at all, and still answers', async () => {
    const { chat, server } = use();
    await chat.ask('Hello');
    await chat.shows(['Hello', 'You said Hello']);
    assert.equal(server.requests.at(-1)?.body.tools, undefined);
  });

  it('no prompt file or skill is listed or run, and no instructions of files are sent', async () => {
    const { chat, server, workbench } = use();
    await mkdir(path.join(workbench.folder, '.offshoot/prompts'), { recursive: true });
    await writeFile(path.join(workbench.folder, '.offshoot/prompts/hidden.md'), 'Do something else.');
    await mkdir(path.join(workbench.folder, '.agents/skills/hidden-too'), { recursive: true });
    await writeFile(
      path.join(workbench.folder, '.agents/skills/hidden-too/SKILL.md'),
      '---\nname: hidden-too\ndescription: Do something else.\n---\n',
    );
    await writeFile(path.join(workbench.folder, 'AGENTS.md'), 'Do something else.');
    await chat.input.focus();
    await chat.input.pressSequentially('/h');
    await chat.frame.getByRole('option', { name: /^\/help/u }).waitFor();
    await chat.input.fill('');
    await chat.ask('/hidden');
    assert.equal(await chat.frame.getByRole('option', { name: /hidden/u }).count(), 0);
    assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /Do something else/u);
  });

  it('code of an answer is not applied, and the page says why', async () => {
    const { chat } = use();
    await chat.ask('this:\n\n```ts src/greet.ts\nexport {};\n```');
    const block = chat.answers.last().locator('.code-block');
    await block.hover();
    await block.getByRole('button', { name: 'Apply as diff' }).click();
    await chat.frame.locator('.banner.error', { hasText: 'workspace you do not trust' }).waitFor();
  });
});
