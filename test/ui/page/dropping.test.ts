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
});
