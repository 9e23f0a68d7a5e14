import assert from 'node:assert/strict';
import type { FileView } from '../../../src/protocol/views.ts';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const file = (name: string, path = name.replace(/:\d+$/, ''), trueName = path): FileView => ({
  name,
  path,
  trueName,
});

/** Answers what the page has asked for last. */
async function answerNames(chat: Chat, files: readonly FileView[]): Promise<string[]> {
  const { names } = await chat.expect('findFiles');
  await chat.reply('findFiles', { files: files.filter(({ name }) => names.includes(name)) });
  await chat.frame();
  return names;
}

describe('the names of files in an answer', () => {
  const use = useChat();

  it('are links once the host has found them, in code, in words and in links, and open by click and by Enter', async () => {
    const chat = use();
    await chat.show(
      conversation([
        answer(
          'a',
          'In `src/a.ts:12` and src/b.ts:3, see [the file](src/c.ts#L4). Not `no/such.ts`, not [this](gone.md).',
        ),
      ]),
    );
    const names = await answerNames(chat, [
      file('src/a.ts:12'),
      file('src/b.ts:3'),
      file('src/c.ts#L4', 'src/c.ts'),
    ]);
    assert.deepEqual(names.toSorted(), ['gone.md', 'no/such.ts', 'src/a.ts:12', 'src/b.ts:3', 'src/c.ts#L4']);
    const links = chat.messages.last().getByRole('link');
    assert.deepEqual(await links.allTextContents(), ['src/a.ts:12', 'src/b.ts:3', 'the file']);
    assert.deepEqual(await chat.page.locator('.true-name').allTextContents(), ['src/c.ts']);
    await links.first().click();
    await links.last().press('Enter');
    const opened = (await chat.sent()).filter(({ type }) => type === 'openLink');
    assert.deepEqual(opened, [
      { type: 'openLink', href: 'src/a.ts:12' },
      { type: 'openLink', href: 'src/c.ts#L4' },
    ]);
  });

  it('have no background of code below the color of links, which a theme may make as dark', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', 'In `src/a.ts:12`, not in `code`.')]));
    await answerNames(chat, [file('src/a.ts:12')]);
    const background = (selector: string): Promise<string> =>
      chat.page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
      );
    await chat.setTheme('Default High Contrast Light');
    assert.equal(await background('code.file-link'), 'rgba(0, 0, 0, 0)');
    assert.notEqual(await background('code:not(.file-link)'), 'rgba(0, 0, 0, 0)');
  });

  it('cannot pass for those of others', async () => {
    const chat = use();
    const twin = 'src/gr\u0435et.ts';
    await chat.show(
      conversation([
        answer(
          'a',
          `\`${twin}\`, [src/greet.ts](src/evil.ts), [greet\u2024ts](src/evil.ts), \`harmless.md\`, \`src/greet.ts\``,
        ),
      ]),
    );
    await answerNames(chat, [
      file(twin, twin, 'src/gr‹U+0435›et.ts'),
      file('src/evil.ts'),
      file('harmless.md', 'src/evil.ts'),
      file('src/greet.ts'),
    ]);
    assert.deepEqual(await chat.page.locator('.true-name').allTextContents(), [
      'src/gr‹U+0435›et.ts',
      'src/evil.ts',
      'src/evil.ts',
      'src/evil.ts',
    ]);
    assert.equal(
      await chat.page.getByRole('link', { name: 'src/greet.ts' }).last().getAttribute('title'),
      'src/greet.ts',
    );
  });

  it('stay links while the answer goes on, are asked for once, and again when a run may have made them', async () => {
    const chat = use();
    const asked = question('q', 'why?');
    await chat.show(
      conversation([asked], { running: streaming('a', 'I make `src/new.ts` now. `src/a.ts`') }),
    );
    await answerNames(chat, [file('src/a.ts')]);
    assert.deepEqual(await chat.page.locator('.file-link').allTextContents(), ['src/a.ts']);
    await chat.delta('a', ' and more', 35);
    await chat.frame();
    assert.deepEqual(await chat.page.locator('.file-link').allTextContents(), ['src/a.ts']);
    assert.equal((await chat.sent()).filter(({ type }) => type === 'findFiles').length, 1);
    await chat.show(conversation([asked, answer('a', 'I make `src/new.ts` now. `src/a.ts` and more')]));
    await until(
      async () => (await chat.expect('findFiles')).names.join() === 'src/new.ts',
      'the file to be asked for',
    );
    await answerNames(chat, [file('src/new.ts')]);
    assert.deepEqual(await chat.page.locator('.file-link').allTextContents(), ['src/new.ts', 'src/a.ts']);
  });
});

describe('the sources of an answer', () => {
  const use = useChat();

  it('are links with their title and host, which open by a click', async () => {
    const chat = use();
    const url = 'http://docs.example.com/next';
    const source = { title: 'What Comes <i>Next</i>', host: 'docs.example.com', url };
    await chat.show(
      conversation([question('q', 'What next?'), answer('a', 'Read it.', { sources: [source] })]),
    );
    const links = chat.page.locator('.sources').getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), ['What Comes <i>Next</i>\ndocs.example.com']);
    await links.click();
    assert.deepEqual(await chat.expect('openLink'), { type: 'openLink', href: url });
  });
});
