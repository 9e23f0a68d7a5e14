import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/envelope.ts';
import type { Attachments } from '../attachments/attachedFiles.ts';
import type { ComposerPrefill } from '../chats/shownChat.ts';

/** What the page does with queued questions. */
export type QueueAction = Extract<
  NoticeOf<ChatProtocol>,
  { type: 'editQueued' | 'removeQueued' | 'sendQueuedNow' | 'moveQueued' | 'steerQueued' }
>;

export interface QueueActionsDeps {
  readonly queue: MessageQueue;
  readonly attachments: Attachments;
}

/**
 * Performs what the page does with a question of its branch's queue.
 * @returns what returns to the input
 */
export async function actOnQueue(
  { queue, attachments }: QueueActionsDeps,
  on: { readonly chatId: string; readonly branch: string },
  action: QueueAction,
): Promise<ComposerPrefill | undefined> {
  switch (action.type) {
    case 'editQueued': {
      const question = await queue.remove(on, action.id);
      return question && { text: question.text, attachments: attachments.of(question.attached) };
    }
    case 'removeQueued':
      await queue.remove(on, action.id);
      return undefined;
    case 'sendQueuedNow':
      await queue.sendNow(on, action.id);
      return undefined;
    case 'moveQueued':
      await queue.move(on, action.id, action.to);
      return undefined;
    case 'steerQueued':
      await queue.steer(on, action.id, action.steers);
      return undefined;
  }
}
