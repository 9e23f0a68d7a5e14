import type { PortableChat } from '../../src/engine/portableChat.ts';
import type { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, report } from '../measure.ts';
import { openFilled } from './filled.ts';

const BRANCHES = 10_000;
const HOUR = 3_600_000;

/** Each is expanded once: VS Code keeps what it was told stands below a row. */
const CHATS = ['bushy 1', 'bushy 2', 'bushy 3'];

/** In pixels. */
const TREE_HEIGHT = 360;

/** Expanding a chat of 10,000 branches for the first time, from the click to the painted rows. */
export async function measureTree(): Promise<void> {
  const workbench = await openFilled(async (store) => {
    await store.importChats('local', CHATS.map(bushyChat));
  });
  try {
    // The measured rows have to be visible below those of the other chats.
    await workbench.tree.setHeight(TREE_HEIGHT);
    const times: number[] = [];
    for (const chat of CHATS) times.push(await timeToExpand(workbench, chat));
    report(
      'expanding a chat of 10,000 branches in the tree, from the click to the painted rows',
      middle(times),
      100,
      'ms',
      `the longest ${Math.max(...times).toFixed(0)} ms`,
    );
  } finally {
    await workbench.close();
  }
}

/**
 * A question with very many answers, each on a branch of its own. It was used before the chat that is open: the window
 * may have forgotten which one that was, and would open the one used last, with all its branches.
 */
function bushyChat(title: string): PortableChat {
  const time = Date.now() - HOUR;
  const message = (id: string, parentId: string | null): PortableChat['messages'][number] => {
    const name = parentId === null ? 'user' : 'assistant';
    const data = { id, role: name, parts: [{ type: 'text', text: `says ${id}` }] };
    return { id, parentId, name, type: 'message', data, invocationId: 'q', createdAt: time };
  };
  const answers = Array.from({ length: BRANCHES }, (_, index) => `a${index}`);
  return {
    id: crypto.randomUUID(),
    title,
    metadata: {},
    createdAt: time,
    updatedAt: time,
    messages: [message('q', null), ...answers.map((id) => message(id, 'q'))],
    branches: answers.map((headMessageId, index) => ({
      headMessageId,
      isActive: index === 0,
      createdAt: time + index,
      ...(index === 0
        ? { name: 'main', forkMessageId: null }
        : { name: `idea ${index}`, forkMessageId: 'q', parentBranch: 'main' }),
    })),
    checkpoints: [],
    events: [],
  };
}

/** Milliseconds until the rows of branches stand below the chat. */
async function timeToExpand(workbench: Workbench, chat: string): Promise<number> {
  const row = workbench.tree.row(chat);
  await row.waitFor();
  const shown = workbench.page.evaluate<number>(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('Waited in vain for the branches.')), 30_000);
    let pressed;
    addEventListener('mousedown', ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true });
    const look = () => {
      const rows = [...document.querySelectorAll('.sidebar .monaco-list-row .label-name')];
      if (!rows.some((name) => name.textContent.startsWith('idea '))) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - pressed);
      port2.postMessage(undefined);
    };
    requestAnimationFrame(look);
  })`);
  await row.locator('.monaco-tl-twistie').click();
  const time = await shown;
  await workbench.tree.collapse(chat);
  return time;
}
