import type pg from 'pg';

/**
 * Puts many chats in at once, as saving them would have, in SQL alone: `chats` of them with 100 messages each, one of
 * `rare` messages with the word "thousandfold", half of them with "often".
 */
export async function fill(client: pg.Client, chats: number, messages: number): Promise<void> {
  await client.query('SET search_path = offshoot');
  await client.query(
    `INSERT INTO chats (id, owner, title, metadata, created_at, updated_at, messages, last_message, last_segment, last_branch, last_event)
      SELECT 'filled-' || c, 'ann', 'Chat ' || c, '{}', now_ms() - c * 1000, now_ms() - c * 1000, $2, $2, 1, 1, 1
      FROM generate_series(1, $1::int) c`,
    [chats, messages],
  );
  const filled = `chats c WHERE c.id LIKE 'filled-%'`;
  await client.query(`INSERT INTO segments (chat, key) SELECT c.key, 1 FROM ${filled}`);
  await client.query(
    `INSERT INTO branches (chat, key, id, name, head, created_at) SELECT c.key, 1, gen_random_uuid(), 'main', $1, c.created_at FROM ${filled}`,
    [messages],
  );
  await client.query(`INSERT INTO active_branches SELECT c.key, 'ann', 1 FROM ${filled}`);
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
