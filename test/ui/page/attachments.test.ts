import assert from 'node:assert/strict';
import { chatFromPage } from '../../../src/protocol/chatFromPage.ts';
import { until } from '../../fixtures/until.ts';
import { conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const hash = 'a'.repeat(64);

/** Puts a file into the input as the clipboard or the mouse does. */
const give = (kind: 'paste' | 'drop', make: string): string => `(async () => {
  const data = new DataTransfer();
  data.items.add(await (${make})());
  const input = document.querySelector('.composer textarea');
  input.dispatchEvent(${
    kind === 'paste'
      ? `new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })`
      : `new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })`
  });
})()`;
const picture = (width: number, height: number): string => `async () => {
  const canvas = new OffscreenCanvas(${width}, ${height});
  const context = canvas.getContext('2d');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, ${width}, ${height});
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'shot.png', { type: 'image/png' });
}`;

describe('what goes with a question', () => {
  const use = useChat();

  it('is a picture that was pasted: shown small, sent, and kept over a reload until then', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.page.evaluate(give('paste', picture(40, 30)));
    const added = await chat.expect('addImage');
    assert.match(Buffer.from(added.data, 'base64').toString('latin1'), /^\x89PNG/u);
    const attachment = { type: 'image', hash, mediaType: 'image/png', name: 'shot.png' } as const;
    await chat.reply('addImage', { attachment });
    await chat.page.locator('.tray-item img').waitFor();
    await chat.page.reload();
    await chat.loaded();
    await chat.show(conversation());
    assert.equal(await chat.page.locator('.tray-item').innerText(), 'shot.png');
    await chat.input.fill('What is this?');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('sendMessage'), {
      type: 'sendMessage',
      text: 'What is this?',
      attachments: [attachment],
    });
    assert.equal(await chat.page.locator('.tray-item').count(), 0);
  });

  it('is sent without a word, too, and the question is called by its name', async () => {
    const chat = use();
    await chat.show(conversation());
    assert.equal(await chat.button('Send').isDisabled(), true);
    const attachment = { type: 'image', hash, mediaType: 'image/png', name: 'shot.png' } as const;
    await chat.tell({ type: 'attached', attachments: [attachment] });
    await chat.input.fill('  ');
    await chat.button('Send').click();
    assert.deepEqual(await chat.expect('sendMessage'), {
      type: 'sendMessage',
      text: '',
      attachments: [attachment],
    });
    await chat.input.press('Enter');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'sendMessage').length, 1);
    const empty = chatFromPage.safeParse({ type: 'sendMessage', text: ' ', attachments: [] });
    assert.equal(empty.success, false, 'nothing at all is no question');
    await chat.show(conversation([question('q', '', { parts: [attachment] })]));
    assert.equal(await chat.messages.getAttribute('aria-label'), 'Question: shot.png');
  });

  it('is made smaller where it is larger than models take', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.page.evaluate(give('drop', picture(5_000, 100)));
    const { data } = await chat.expect('addImage');
    // Width and height stand in the head of a PNG.
    const png = Buffer.from(data, 'base64');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2_048, 41]);
  });

  it('is refused with the reason where it is no picture that models take', async () => {
    const chat = use();
    await chat.show(conversation());
    const svg = `async () => new File(['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'], 'x.svg', { type: 'image/svg+xml' })`;
    await chat.page.evaluate(give('paste', svg));
    await chat.page.getByText('x.svg is not a picture that models take: PNG, JPEG, GIF or WebP.').waitFor();
    const broken = `async () => new File(['not a picture'], 'y.png', { type: 'image/png' })`;
    await chat.page.evaluate(give('paste', broken));
    await chat.page.getByText('y.png cannot be read as a picture. It may be damaged.').waitFor();
    assert.equal((await chat.sent()).filter(({ type }) => type === 'addImage').length, 0);
  });

  it('says before it is sent that the model cannot see it', async () => {
    const chat = use();
    const model = { id: 'x', label: 'Blind model', isDemo: false, takesImages: false };
    await chat.show(conversation([], { model }));
    const attachment = { type: 'image', hash, mediaType: 'image/png', name: 'shot.png' } as const;
    await chat.tell({ type: 'attached', attachments: [attachment] });
    await chat.page.getByText('Blind model doesn’t support images').waitFor();
    await chat.button('Remove shot.png').click();
    await chat.page.getByText('Blind model doesn’t support images').waitFor({ state: 'detached' });
  });

  it('is a file that is chosen by the keyboard after an @', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('look at @gr');
    await until(async () => (await chat.expect('proposeFiles')).query === 'gr', 'the page to ask for files');
    await chat.reply('proposeFiles', { paths: ['src/greet.ts', 'src/group.ts'] });
    await chat.page.getByRole('option').first().waitFor();
    await chat.screenshot('attach completion');
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('Enter');
    assert.equal(await chat.input.inputValue(), 'look at ');
    assert.deepEqual(await chat.page.locator('.tray-item').allInnerTexts(), ['src/group.ts']);
    await chat.input.pressSequentially('@x');
    await chat.reply('proposeFiles', { paths: ['late.ts'] }, ({ query }) => query === '');
    assert.equal(await chat.page.getByRole('option').count(), 0, 'an answer that came late is of no use');
    await chat.reply('proposeFiles', { paths: ['x.ts'] }, ({ query }) => query === 'x');
    await chat.page.getByRole('option').first().waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.page.getByRole('option').first().waitFor({ state: 'detached' });
    assert.equal(await chat.input.inputValue(), 'look at @x');
  });

  it('is a folder, the problems or the changes as well, after an @ or a # with letters', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('# @');
    const context = [
      { type: 'context', of: 'problems', name: '' },
      { type: 'context', of: 'folder', name: 'src/ag\u202Eent' },
    ] as const;
    await chat.reply(
      'proposeFiles',
      { paths: ['notes.md'], context: [...context] },
      ({ query }) => query === '',
    );
    const options = chat.page.getByRole('option');
    await options.first().waitFor();
    assert.deepEqual(await options.allInnerTexts(), ['Problems', 'src/ag‹U+202E›ent/', 'notes.md']);
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('Enter');
    await chat.input.pressSequentially('and #prob');
    await chat.reply('proposeFiles', { paths: [], context: [context[0]] }, ({ query }) => query === 'prob');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.page.locator('.tray-item').allInnerTexts(), [
      'src/ag‹U+202E›ent/',
      'Problems',
    ]);
    await chat.page.keyboard.press('Enter');
    assert.deepEqual((await chat.expect('sendMessage')).attachments, [context[1], context[0]]);
    const asked = (await chat.sent()).flatMap((sent) => (sent.type === 'proposeFiles' ? [sent.query] : []));
    assert.ok(!asked.includes('1'), 'numbers of issues are none');
  });

  it('is a name that is defined in a file, or a branch, which the host asks for', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.pressSequentially('look at @br');
    const lines = { type: 'file', path: 'src/brush.ts', startLine: 3, endLine: 9 } as const;
    await chat.reply(
      'proposeFiles',
      {
        paths: ['a/brown.ts', 'bread.ts', 'brick.ts', 'zebra.ts'],
        symbols: [{ name: 'bru\u202Esh', lines }],
        branch: true,
      },
      ({ query }) => query === 'br',
    );
    const options = chat.page.getByRole('option');
    await options.first().waitFor();
    assert.deepEqual(
      (await options.allInnerTexts()).map((text) => text.split('\n').join(' ').trim()),
      [
        'Branch or Checkpoint…',
        'brown.ts a',
        'bread.ts',
        'brick.ts',
        'bru‹U+202E›sh src/brush.ts:3–9',
        'zebra.ts',
      ],
    );
    await options.nth(4).click();
    assert.deepEqual(await chat.page.locator('.tray-item').allInnerTexts(), ['src/brush.ts:3–9']);
    await chat.input.pressSequentially('@br');
    await chat.reply('proposeFiles', { paths: [], branch: true }, ({ query }) => query === 'br');
    await options.first().waitFor();
    await chat.page.keyboard.press('Enter');
    await chat.expectCommand('addBranch');
    assert.equal(await chat.input.inputValue(), 'look at ');
  });

  it('stands in the question it went with: the picture, and the file that opens', async () => {
    const chat = use();
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', hash, mediaType: 'image/png', name: 'shot.png' },
      { type: 'file', path: 'src/my file.ts', startLine: 3, endLine: 9 },
    ] as const;
    await chat.show(conversation([question('q', '', { parts: [...parts] })]));
    assert.deepEqual(await chat.expect('loadImage'), { type: 'loadImage', hash });
    await chat.reply('loadImage', { mediaType: 'image/png', data: pixel });
    await chat.page.locator('img.picture[alt="shot.png"]').waitFor();
    await chat.page.getByRole('button', { name: 'src/my file.ts:3–9' }).click();
    assert.deepEqual(await chat.expect('openLink'), { type: 'openLink', href: 'src/my%20file.ts#L3' });
    await chat.screenshot('attached');
  });
});
