import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import type { SqlParameter, SqlRow } from '../../../src/store/sqlite/database.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

/** Keeps what it is asked. */
class RecordingConnection extends Connection {
  readonly asked = new Set<string>();

  override get(sql: string, parameters?: readonly SqlParameter[]): SqlRow | undefined {
    this.asked.add(sql);
    return super.get(sql, parameters);
  }

  override all(sql: string, parameters?: readonly SqlParameter[]): SqlRow[] {
    this.asked.add(sql);
    return super.all(sql, parameters);
  }

  /** How SQLite goes about what it was asked of the log, one line for each place where it looks. */
  waysToLog(): string[] {
    return [...this.asked]
      .filter((sql) => /\bevents\b/.test(sql) && /\bbranch\b/.test(sql))
      .flatMap((sql) => this.all(`EXPLAIN QUERY PLAN ${sql}`))
      .map((row) => String(row['detail']))
      .filter((detail) => /\b(?:events|e)\b/.test(detail));
  }
}

describe('what befell a branch', () => {
  it('is found by an index, in which going to and fro does not stand before it', async () => {
    const connection = new RecordingConnection(await loadSqlite(sqliteWasm));
    migrate(connection);
    const open = (): Promise<MemoryDatabase> => Promise.resolve(new MemoryDatabase(connection));
    const store = new SqlContextStore({ open, blobs: new MemoryBlobStore() });
    const chatId = 'chat';
    const engine = new ContextEngine({ store, chatId, userId: 'ann' });
    engine.set(user('one'));
    await engine.save();
    const messageId = engine.headMessageId ?? '';
    const made = { chatId, from: 'main', messageId, event: 'rewound', naming: 'flat' } as const;
    await store.addBranch({ ...made, activate: true });
    await store.activateBranch(chatId, 'main');
    await store.findBranchUsedWith(chatId, messageId);
    const ways = connection.waysToLog();
    const used = ways.map((way) => /INDEX (\w+)/.exec(way)?.[1]);
    const [moves, others] = ['movesOfBranches', 'eventsOfBranches'];
    assert.deepEqual(used.sort(), [others, others, others, moves], ways.join('\n'));
    await store.close();
  });
});
