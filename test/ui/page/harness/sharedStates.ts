import type { ConversationView } from '../../../../src/protocol/views.ts';
import { answer, conversation, question, streaming } from './conversations.ts';
import type { PageState } from './states.ts';

const sharedState = (name: string, shown: ConversationView): PageState => ({
  name,
  surface: 'chat',
  put: async (chat) => {
    await chat.show(shown);
    await chat.frame();
  },
});

const talk = [
  question('q1', 'Which of the two designs do we take?', { author: 'ana' }),
  answer('a1', 'The second: it needs no lock.'),
  question('q2', 'And what does it cost?', { author: 'a-very-long-role-name-of-somebody-in-the-team' }),
];

/** Chats of a store that several people share. */
export const sharedStates: readonly PageState[] = [
  sharedState(
    'chat shared with others',
    conversation([...talk, streaming('a2', 'About a day')], {
      shared: {
        owner: 'ana',
        access: 'write',
        others: ['ana', 'bob', 'carol', 'dave', 'eve'].map((name, index) => ({
          name,
          isOnBranch: index % 2 === 0,
        })),
      },
    }),
  ),
  sharedState(
    'chat shared to read',
    conversation(talk, {
      isReadOnly: true,
      readOnlyReason: 'ana shares this chat to read. Copy it to go on by yourself.',
      shared: { owner: 'ana', access: 'read', others: [{ name: 'ana', isOnBranch: true }] },
    }),
  ),
];
