import type { ConversationView } from '../../../../src/protocol/chatFromHost.ts';
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
  question('q2', 'And what does it cost?', { author: 'a-very-long-role-name-of-someone-in-the-team' }),
];

const awayReason =
  'The shared store can’t be reached. Your chats there appear as soon as it reconnects, which happens automatically.';

const lost =
  'Not saved yet: the shared store can’t be reached. This window keeps the response, and saves it when the connection is back.';

/** The server was gone before the end of an answer. */
const away = conversation(
  [
    ...talk,
    answer('a2', 'About a day, and most of that is tests.', {
      status: 'failed',
      error: lost,
      isUnsaved: true,
      canSave: true,
    }),
  ],
  {
    banners: [
      {
        id: 'shared-lost',
        severity: 'warning',
        title: 'Connection lost',
        limit: { action: 'reconnect' },
        text: 'The connection to db.example.com is lost. What was read stays here, and nothing can be sent. It reconnects automatically.',
      },
    ],
    shared: { access: 'write', others: [] },
  },
);

const awayAtTheStart: PageState = {
  name: 'shared store away at the start',
  surface: 'chat',
  put: async (chat) => {
    await chat.tell({ type: 'conversationFailed', reason: awayReason, isAway: true });
    await chat.frame();
  },
};

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
  sharedState(
    'shared chat alone',
    conversation([...talk, answer('a2', 'About a day.')], { shared: { access: 'write', others: [] } }),
  ),
  sharedState('answer kept while the shared store is away', away),
  sharedState(
    'read-only copy of the shared store',
    conversation(talk, {
      isReadOnly: true,
      readOnlyReason: 'Read-only copy of the shared store',
      banners: [
        {
          id: 'shared-replica',
          severity: 'info',
          title: 'Read-only copy',
          limit: {},
          text: 'replica.example.com is a read-only copy of the shared store: chats are only shown.',
        },
      ],
      shared: { access: 'write', others: [] },
    }),
  ),
  awayAtTheStart,
];
