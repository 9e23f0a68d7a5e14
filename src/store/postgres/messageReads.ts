import { DamagedDataError, OffshootError } from '../../engine/errors.ts';
import type { MessageData, SkeletonNode } from '../../engine/graph.ts';
import type { MessageFiles } from '../../engine/store.ts';
import type { FilePlaces } from './filePlaces.ts';
import type { StoreAccess } from './storeAccess.ts';
import { effectsOf, messageOf, pathOf, type MessageRow } from './wire.ts';

export class MessageReads {
  constructor(
    private readonly store: StoreAccess,
    private readonly places: FilePlaces,
  ) {}

  async get(chatId: string, messageId: string): Promise<MessageData | undefined> {
    return (await this.read('get_messages($1, $2)', chatId, [messageId]))[0];
  }

  async parentIds(chatId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    const rows = await this.parents(chatId, ids);
    return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
  }

  async path(chatId: string, messageId: string, { limit }: { limit?: number }): Promise<MessageData[]> {
    const rows = await this.store.rows<MessageRow>('get_path($1, $2, $3)', [
      chatId,
      messageId,
      limit ?? null,
    ]);
    return this.asPath(rows, chatId);
  }

  /** @returns undefined when it is not an ancestor */
  async pathAfter(chatId: string, ancestorId: string, messageId: string): Promise<MessageData[] | undefined> {
    try {
      const rows = await this.store.rows<MessageRow>('get_path_after($1, $2, $3)', [
        chatId,
        ancestorId,
        messageId,
      ]);
      return this.here(pathOf(rows, chatId, ancestorId));
    } catch (error) {
      if (error instanceof Error && !(error instanceof OffshootError) && error.message === 'no-ancestor')
        return undefined;
      throw error;
    }
  }

  children(chatId: string, messageId: string): Promise<MessageData[]> {
    return this.read('get_children($1, $2)', chatId, messageId);
  }

  async siblings(chatId: string, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    const rows = await this.store.rows<{ of_id: string; id: string }>('get_siblings($1, $2)', [
      chatId,
      [...new Set(ids)],
    ]);
    const all = new Map<string, { id: string }[]>();
    for (const row of rows) all.set(row.of_id, [...(all.get(row.of_id) ?? []), row]);
    const found = [...all].filter(([, siblings]) => siblings.length > 1);
    return new Map(found.map(([of, siblings]) => [of, siblings.map(({ id }) => id)]));
  }

  async invocation(
    chatId: string,
    invocationId: string,
    headId: string | null,
  ): Promise<MessageData | undefined> {
    return (await this.read('find_invocation($1, $2, $3)', chatId, invocationId, headId))[0];
  }

  async commonAncestor(chatId: string, oneId: string, otherId: string): Promise<MessageData | undefined> {
    return (await this.read('find_common_ancestor($1, $2, $3)', chatId, oneId, otherId))[0];
  }

  all(chatId: string): Promise<MessageData[]> {
    return this.read('get_all_messages($1)', chatId);
  }

  async skeleton(chatId: string): Promise<SkeletonNode[]> {
    interface Row {
      key: number;
      parent: number | null;
      id: string;
      name: string;
    }
    const rows = await this.store.rows<Row>('get_skeleton($1)', [chatId]);
    const ids = new Map<number, string>();
    return rows.map(({ key, parent, id, name }) => {
      const parentId = parent === null ? null : ids.get(parent);
      if (parentId === undefined) throw new DamagedDataError(`the parent of message "${id}" is missing`);
      ids.set(key, id);
      return { id, parentId, name };
    });
  }

  async fileChanges(chatId: string): Promise<MessageFiles[]> {
    const rows = await this.store.rows<{ id: string; effects: string }>('list_file_changes($1)', [chatId]);
    return rows.flatMap(({ id, effects }) => {
      const files = this.places.here({ effects: effectsOf(effects, null) }).effects?.files ?? [];
      return files.length === 0 ? [] : [{ messageId: id, files }];
    });
  }

  private async read(call: string, chatId: string, ...values: readonly unknown[]): Promise<MessageData[]> {
    const rows = await this.store.rows<MessageRow>(call, [chatId, ...values]);
    return this.here(rows.map((row) => messageOf(row, chatId)));
  }

  private parents(chatId: string, ids: readonly string[]) {
    interface Row {
      id: string;
      parent_id: string | null;
    }
    return this.store.rows<Row>('get_parents($1, $2)', [chatId, [...ids]]);
  }

  /** The first message of a partial path follows a message that is not part of it. */
  private asPath(rows: readonly MessageRow[], chatId: string): MessageData[] {
    const [first] = rows;
    if (!first || first.depth === 1) return this.here(pathOf(rows, chatId, null));
    return this.here(pathOf(rows, chatId, first.parent_id));
  }

  private here(messages: readonly MessageData[]): MessageData[] {
    return messages.map((message) => this.places.here(message));
  }
}
