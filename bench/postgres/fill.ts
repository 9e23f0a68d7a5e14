import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { indexedWords } from '../../src/store/postgres/words.ts';

/**
 * Puts many chats in at once, as saving them would have, in SQL alone: `chats` of them with 100 messages each, one of
 * `rare` messages with the word "thousandfold", half of them with "often".
 */
export async function fill(client: pg.Client, chats: number, messages: number): Promise<void> {
  const ids = Array.from({ length: chats }, (_, index) => `filled-${index + 1}`);
  await makeChats(client, ids, messages);
  const filled = `chats c WHERE c.id LIKE 'filled-%'`;
  const text = `'Message ' || n || ' of ' || c.key || ' speaks of ' || (hashtext(c.key || '.' || n) & 4095) || ' and ' || (hashtext(n || 'x' || c.key) & 16383)
    || CASE WHEN n % 100 = 7 THEN ' thousandfold' ELSE '' END || CASE WHEN n % 2 = 0 THEN ' often' ELSE '' END`;
  await client.query(
    `INSERT INTO messages (chat, key, id, parent, segment, depth, name, type, author, data, invocation_id, created_at,
        message_count, last_read, words, word_count)
      SELECT c.key, n, 'm' || n, nullif(n - 1, 0), 1, n, CASE n % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'message', 'ann',
        json_build_object('id', 'm' || n, 'role', 'user', 'parts', json_build_array(json_build_object('type', 'text', 'text', ${text})))::text,
        'm' || n, c.created_at + n, n, n, to_tsvector('simple', ${text}), 10
      FROM generate_series(1, $1::int) n, ${filled}`,
    [messages],
  );
  await client.query('VACUUM ANALYZE');
}

/** Chats without messages yet, each with one branch that will have as many. */
async function makeChats(client: pg.Client, ids: readonly string[], messages: number): Promise<void> {
  await client.query('SET search_path = offshoot');
  await client.query(
    `INSERT INTO chats (id, owner, title, metadata, created_at, updated_at, messages, last_message, last_segment, last_branch, last_event)
      SELECT id, 'ann', 'Chat ' || n, '{}', now_ms() - n * 1000, now_ms() - n * 1000, $2, $2, 1, 1, 1
      FROM unnest($1::text[]) WITH ORDINALITY c(id, n)`,
    [ids, messages],
  );
  const made = 'chats c WHERE c.id = ANY ($1)';
  await client.query(`INSERT INTO segments (chat, key) SELECT c.key, 1 FROM ${made}`, [ids]);
  await client.query(
    `INSERT INTO branches (chat, key, id, name, head, created_at)
      SELECT c.key, 1, gen_random_uuid(), 'main', $2, c.created_at FROM ${made}`,
    [ids, messages],
  );
  await client.query(`INSERT INTO active_branches SELECT c.key, 'ann', 1 FROM ${made}`, [ids]);
}

/**
 * Puts in chats of as many texts each, by COPY from files in a folder that the server reads: saving a million messages
 * takes half an hour.
 */
export async function fillWith(
  client: pg.Client,
  folder: string,
  chats: readonly { readonly id: string; readonly messages: readonly string[] }[],
): Promise<void> {
  const [first] = chats;
  if (!first) return;
  await makeChats(
    client,
    chats.map(({ id }) => id),
    first.messages.length,
  );
  const { rows } = await client.query<{ id: string; key: string }>('SELECT id, key FROM chats');
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  for (const { id: chat, messages } of chats) {
    const file = path.join(folder, 'chat');
    const lines = messages.map((text, index) => rowOf(chat, keys.get(chat) ?? '', index, text));
    writeFileSync(file, lines.join(''), { mode: 0o644 });
    await client.query(`COPY messages (chat, key, id, parent, segment, depth, name, type, author, data, invocation_id,
      created_at, message_count, last_read, words, word_count) FROM '${file}'`);
  }
  await client.query('VACUUM ANALYZE');
}

/** In the format of COPY. */
function rowOf(chat: string, chatKey: string, index: number, text: string): string {
  const id = `${chat}/${index}`;
  const name = index % 2 === 0 ? 'user' : 'assistant';
  const data = JSON.stringify({ id, role: name, parts: [{ type: 'text', text }] });
  const { words, count } = indexedWords(text);
  const key = index + 1;
  const values = [
    chatKey,
    key,
    id,
    index === 0 ? null : index,
    1,
    key,
    name,
    'message',
    'ann',
    data,
    `${chat}/${index - (index % 2)}`,
    1_750_000_000_000 + index,
    key,
    key,
    words,
    count,
  ];
  return `${values.map((value) => (value === null ? String.raw`\N` : String(value).replaceAll('\\', String.raw`\\`))).join('\t')}\n`;
}
