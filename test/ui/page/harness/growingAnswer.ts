import { until } from '../../../fixtures/until.ts';
import type { Chat } from './chat.ts';
import { conversation, streaming, turns } from './conversations.ts';

export const line = 'Some more words of an answer that goes on.\n\n';

/** A long conversation whose answer streams. */
export const opened = conversation(turns(41), { running: streaming('a') });

/** Has the answer grow by its lines up to another. */
export async function stream(chat: Chat, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) await chat.delta('a', line, index * line.length);
  await until(async () => (await chat.messages.last().locator('.block').count()) === to, `${to} paragraphs`);
  await chat.frame();
}
