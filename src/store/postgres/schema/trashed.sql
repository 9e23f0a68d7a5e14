-- Version 4: what a deleted branch was about, so that a list of the trash needs no generated names.

-- The first message in the trash, or else the question that it answers, which may be in the chat itself.
CREATE FUNCTION trash_subject(t trash) RETURNS text LANGUAGE sql STABLE AS $f$
  WITH RECURSIVE up AS (
    (SELECT parent, depth, name, data FROM messages WHERE chat = t.chat AND place = t.key AND type = 'message'
      ORDER BY depth LIMIT 1)
    UNION ALL
    SELECT m.parent, m.depth, m.name, m.data FROM up u JOIN messages m ON m.chat = t.chat AND m.key = u.parent
      WHERE u.name = 'assistant'
  ) SELECT data FROM up ORDER BY (name = 'user') DESC, depth DESC LIMIT 1
$f$;

CREATE OR REPLACE FUNCTION trash_json(t trash, c chats) RETURNS json LANGUAGE sql STABLE AS $f$
  SELECT json_build_object('id', t.id, 'kind', t.kind, 'chatId', c.id, 'chatTitle', c.title, 'name',
    CASE t.kind WHEN 'branch' THEN (SELECT name FROM branches WHERE chat = t.chat AND place = t.key LIMIT 1)
      WHEN 'checkpoint' THEN (SELECT name FROM checkpoints WHERE chat = t.chat AND place = t.key LIMIT 1) END,
    'subject', CASE t.kind WHEN 'branch' THEN trash_subject(t) END,
    'messageCount', CASE t.kind WHEN 'chat' THEN c.messages ELSE
      (SELECT count(*) FROM messages WHERE chat = t.chat AND place = t.key AND type = 'message') END,
    'deletedAt', t.deleted_at)
$f$;
