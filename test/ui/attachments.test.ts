import assert from 'node:assert/strict';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Pastes a picture where the chat is typed into, in whichever frame that is. */
const paste = `(() => {
  const input = document.querySelector('.composer textarea');
  if (!input) return;
  const bytes = Uint8Array.from(atob('${pixel}'), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
  input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;

describe('attaching to a question', () => {
  const use = useChat(() => answer('I see.'));

  it('takes a pasted image, a file after an @ and the selection of the editor, and sends all of them', async () => {
    const { chat, workbench, server } = use();
    await chat.input.focus();
    const frames = workbench.page.frames();
    // One may go away while it is asked.
    await Promise.all(frames.map((frame) => frame.evaluate(paste).catch(() => undefined)));
    const tray = chat.frame.locator('.tray-item');
    await tray.locator('img').waitFor();
    await chat.input.pressSequentially('What is this? @gre');
    await chat.frame.getByRole('option', { name: /greet\.ts/u }).waitFor();
    await workbench.screenshot('attach completion');
    await chat.input.press('Enter');
    await until(async () => (await tray.count()) === 2, 'the file');
    await workbench.page.keyboard.press('Control+P');
    await workbench.quickInput.type('greet.ts');
    await workbench.quickInput.row('greet.ts').waitFor();
    await workbench.quickInput.accept();
    await workbench.page.locator('.monaco-editor .view-line').first().waitFor();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.runCommand('Offshoot: Add Selection to Offshoot Chat');
    await until(async () => (await tray.count()) === 3, 'the selection');
    assert.deepEqual(await tray.allInnerTexts(), ['shot.png', 'src/greet.ts', 'src/greet.ts:1']);
    await workbench.screenshot('attached');
    await chat.input.press('Enter');
    await chat.answered(1);
    await chat.frame.locator('img.picture').waitFor();
    await workbench.screenshot('attached sent');
    const content = JSON.stringify(server.requests[0]?.body.messages.at(-1)?.content);
    assert.match(content, new RegExp(`image_url.*${pixel.slice(0, 40)}`, 'u'));
    assert.match(content, /The user attached src\/greet\.ts:\]/);
    assert.match(content, /The user attached src\/greet\.ts, lines 1–1 of/);
  });

  it('brings them back into the input when the question is edited', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit and Branch');
    await until(async () => (await chat.frame.locator('.tray-item').count()) === 3, 'the attachments');
    await until(async () => (await chat.input.inputValue()) === 'What is this?', 'the question in the input');
  });
});
