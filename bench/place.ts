import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { Connection, loadSqlite } from '../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../src/store/sqlite/inMemory.ts';
import { migrate } from '../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';

export const text = 'Some words of a message, about as long as what users type into a chat. '.repeat(3);

/** A store, and the database in it. */
export interface Place {
  readonly connection: Connection;
  readonly store: SqlContextStore;
}

export async function emptyPlace(): Promise<Place> {
  const connection = new Connection(await loadSqlite(sqliteWasm));
  migrate(connection);
  const open = (): Promise<MemoryDatabase> => Promise.resolve(new MemoryDatabase(connection));
  return { connection, store: new SqlContextStore({ open, blobs: new MemoryBlobStore() }) };
}

export function engineOf({ store }: Place, chatId = 'chat'): ContextEngine {
  return new ContextEngine({ store, chatId, userId: 'ann' });
}

/** A chat of `count` messages, in one save. */
export async function fill(place: Place, count: number, chatId = 'chat'): Promise<ContextEngine> {
  const engine = engineOf(place, chatId);
  for (let index = 0; index < count; index++) engine.set(index % 2 === 0 ? user(text) : assistant(text));
  await engine.save();
  return engine;
}
