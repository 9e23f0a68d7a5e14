import type { BranchData } from '../../../../src/engine/graph.ts';
import type { ContextStore, NewMessage, SavedMessages } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import type { OddClock } from '../../../fixtures/clocks.ts';

/** Makes an empty store of the kind under test, whose clock may be an odd one. */
export type OpenStore = (clock?: OddClock) => ContextStore | Promise<ContextStore>;

/** What the tests of every topic do with the store of the running test. */
export interface StoreActions {
  readonly started: (id?: string, userId?: string) => Promise<void>;
  readonly save: (
    ids: readonly (string | NewMessage)[],
    options?: { branch?: string; expectedHead?: string | null; chatId?: string },
  ) => Promise<SavedMessages>;
  readonly branchAt: (messageId: string | null, from?: string, activate?: boolean) => Promise<BranchData>;
}

const nothingShared = {
  userId: 'ann',
  user: new Map<string, never>(),
  app: new Map<string, never>(),
  artifacts: [],
};

/** @param current gives the store, which is another one in each test */
export function storeActions(current: () => ContextStore): StoreActions {
  return {
    started: async (id = 'chat', userId = 'ann') => {
      await current().upsertChat({ id, userId });
    },
    save: (ids, { branch = 'main', expectedHead = null, chatId = 'chat' } = {}) =>
      current().saveMessages({
        chatId,
        branch,
        expectedHead,
        onHeadConflict: 'error',
        newBranchAt: undefined,
        activate: true,
        messages: ids.map((id) => (typeof id === 'string' ? message(id) : id)),
        shared: nothingShared,
      }),
    branchAt: (messageId, from = 'main', activate = true) =>
      current().addBranch({ chatId: 'chat', from, messageId, activate, event: 'rewound' }),
  };
}

/** A question that says its own id. */
export function message(id: string, more: Partial<NewMessage> = {}): NewMessage {
  return {
    id,
    name: 'user',
    type: 'message',
    data: JSON.parse(JSON.stringify(textMessage(id, 'user', `says ${id}`))) as NewMessage['data'],
    invocationId: undefined,
    replaces: undefined,
    effects: undefined,
    ...more,
  };
}

export function idsOf(messages: readonly { readonly id: string }[]): string[] {
  return messages.map(({ id }) => id);
}

export function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}
