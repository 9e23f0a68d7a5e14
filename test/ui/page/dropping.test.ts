import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the chat page takes what is dropped', () => {
  const use = useChat();
  const drag = (type: string, mime: string): Promise<unknown> =>
    use().page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('${mime}', '{}');
      const event = new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.scroller').dispatchEvent(event);
    })()`);
  const ours = 'application/vnd.code.tree.offshoot.tree';

  it('from the tree, and says so while it is held above', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    const hint = chat.page.getByText('Drop to continue from here');
    await drag('dragover', 'text/plain');
    assert.equal(await hint.count(), 0, 'something else is dragged');
    await drag('dragover', ours);
    await hint.waitFor();
    await drag('drop', ours);
    await chat.expect('dropTreeItem');
    await hint.waitFor({ state: 'detached' });
  });

  it('and says from the beginning of the drag what it needs, until the drag has ended', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    const hint = chat.page.getByText('Hold Shift to drop it here');
    await chat.tell({ type: 'treeDragStarted' });
    await hint.waitFor();
    await drag('dragover', ours);
    await hint.waitFor({ state: 'detached' });
    await drag('drop', ours);
    await chat.tell({ type: 'treeDragStarted' });
    await hint.waitFor();
    let x = 60;
    await until(async () => {
      await chat.page.mouse.move((x += 5), 60);
      return (await hint.count()) === 0;
    }, 'the hint to go as the mouse moves again');
  });

  const dropFiles = (data: Readonly<Record<string, string>>, at = '.scroller'): Promise<unknown> =>
    use().page.evaluate(
      ([given, selector]) => {
        const dataTransfer = new DataTransfer();
        for (const [mime, text] of Object.entries(given)) dataTransfer.setData(mime, text);
        for (const type of ['dragover', 'drop']) {
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(selector)?.dispatchEvent(event);
        }
      },
      [data, at] as const,
    );

  it('and files and folders of the Explorer, anywhere on the page, and says so', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    const hint = chat.page.getByText('Drop to attach');
    await drag('dragover', 'application/vnd.code.uri-list');
    await hint.waitFor();
    await chat.page.evaluate(`document.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))`);
    await hint.waitFor({ state: 'detached' });
    const uris = ['file:///w/a.ts', 'file:///w/src'];
    await dropFiles({ 'application/vnd.code.uri-list': uris.join('\r\n'), 'text/plain': '/w/a.ts' });
    assert.deepEqual(await chat.expect('dropFiles'), { type: 'dropFiles', uris });
    await dropFiles({ resourceurls: '["file:///w/tab.ts"]' }, '.composer textarea');
    await until(
      async () =>
        (await chat.sent()).some((sent) => sent.type === 'dropFiles' && sent.uris[0] === 'file:///w/tab.ts'),
      'the tab',
    );
  });

  it('but no more than may go with a question, and nothing else, nor in a window that only reads', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    const uris = Array.from({ length: 25 }, (_, index) => `file:///w/${index}.ts`);
    await dropFiles({ 'application/vnd.code.uri-list': uris.join('\n') });
    assert.deepEqual((await chat.expect('dropFiles')).uris, uris.slice(0, 20));
    await chat.page.getByText('You can attach up to 20 items.').waitFor();
    await dropFiles({ 'text/uri-list': 'https://a.test/', 'text/plain': 'https://a.test/' });
    await chat.show(conversation(turns(2), { isReadOnly: true }));
    await dropFiles({ 'application/vnd.code.uri-list': 'file:///w/late.ts' });
    assert.equal((await chat.sent()).filter(({ type }) => type === 'dropFiles').length, 1);
  });
});
