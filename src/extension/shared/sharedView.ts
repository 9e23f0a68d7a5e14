import * as vscode from 'vscode';
import type { ChatData } from '../../engine/graph.ts';
import type { ConversationView, MessageView } from '../../protocol/views.ts';
import type { ChatSharing, Present } from '../../postgres/sharedStore.ts';

/** The properties read of a shared store. */
interface Shared {
  readonly userId: string;
  readonly isReadOnly: boolean;
  sharing(chatId: string): Promise<ChatSharing>;
  others(chatId: string): Promise<readonly Pick<Present, 'userId' | 'branch'>[]>;
  authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Names the author of a question, if that is another user. */
export async function withAuthors(
  shared: Shared,
  chatId: string,
  messages: readonly MessageView[],
): Promise<MessageView[]> {
  const asked = messages.filter(({ role }) => role === 'user');
  if (asked.length === 0) return [...messages];
  const authors = await shared.authorsOf(
    chatId,
    asked.map(({ id }) => id),
  );
  return messages.map((message) => {
    const author = message.role === 'user' ? authors.get(message.id) : undefined;
    return author === undefined || author === shared.userId ? message : { ...message, author };
  });
}

export type ReadOnlyPart = Pick<ConversationView, 'readOnlyReason'> &
  Partial<Pick<ConversationView, 'isReadOnly'>>;

export type SharedPart = Pick<ConversationView, 'shared'> & ReadOnlyPart;

/** Why nothing can be written, shown before the user types. */
export function readOnlyPart({ isReadOnly }: Pick<Shared, 'isReadOnly'>): ReadOnlyPart {
  if (!isReadOnly) return {};
  return { isReadOnly: true, readOnlyReason: vscode.l10n.t('Read-only copy of the shared store') };
}

/** What other users do in a chat, and whether the user may write there. */
export async function sharedPart(
  shared: Shared,
  { id, userId: owner }: ChatData,
  branch: string,
): Promise<SharedPart> {
  const { access, canWrite } = await shared.sharing(id);
  const others = await shared.others(id);
  const here = new Set(others.filter((other) => other.branch === branch).map(({ userId }) => userId));
  const isOwn = owner === shared.userId;
  const view = {
    ...(isOwn ? {} : { owner }),
    access,
    // There is space for a few: those on the same branch come first.
    others: [...new Set([...here, ...others.map(({ userId }) => userId)])].map((name) => ({
      name,
      isOnBranch: here.has(name),
    })),
  };
  const isOfNobodyElse = isOwn && access === 'private' && others.length === 0;
  return {
    ...(isOfNobodyElse ? {} : { shared: view }),
    ...(canWrite || shared.isReadOnly
      ? {}
      : {
          isReadOnly: true,
          readOnlyReason: vscode.l10n.t('{0} shares this chat to read. Copy it to go on by yourself.', owner),
        }),
  };
}
