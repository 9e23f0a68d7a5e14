import { entry } from './define.ts';

/** The writes a client can request, and the function of each. */
const writes: Readonly<Record<string, string>> = {
  saveMessages: 'save_messages(p_args)',
  saveDraft: 'save_draft(p_args)',
  deleteDraft: 'delete_draft(p_args)',
  createChat: 'create_chat(p_args)',
  updateSeenChat: 'update_seen_chat(p_args)',
  saveTitle: 'save_title(p_args)',
  shareChat: 'share_chat(p_args)',
  deleteChat: 'delete_chat(p_args)',
  createBranch: 'create_branch(p_args)',
  addBranch: 'add_branch(p_args)',
  activateBranch: 'activate_branch(p_args)',
  renameBranch: 'rename_branch(p_args)',
  archiveBranch: 'archive_branch(p_args, true)',
  unarchiveBranch: 'archive_branch(p_args, false)',
  deleteBranch: 'delete_branch(p_args)',
  discardBranch: 'discard_branch(p_args)',
  setCheckpoint: 'set_checkpoint(p_args)',
  renameCheckpoint: 'rename_checkpoint(p_args)',
  deleteCheckpoint: 'delete_checkpoint(p_args)',
  importChats: 'import_chats(p_args)',
  extendChat: 'extend_chat(p_args)',
  logEvent: 'log_event(p_args)',
  restoreFromTrash: 'restore_from_trash(p_args)',
  beginLeaving: 'begin_leaving(p_args)',
};

const cases = Object.entries(writes)
  .map(([name, call]) => `    WHEN '${name}' THEN v := ${call};`)
  .join('\n');

/**
 * The only way to write. A write has an id, which is stored with its reply in the same transaction: a repeated
 * request, because the answer was lost, returns that reply and does nothing.
 */
export const perform = [
  entry(
    'perform',
    'p_request uuid, p_repeated boolean, p_write text, p_args json',
    'text',
    `DECLARE v outcome; v_reply text;
BEGIN
  -- A repeat waits for the first try, which may still be at it, and then finds what that did.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_request::text, 0));
  IF p_repeated THEN
    SELECT reply INTO v_reply FROM changes WHERE request = p_request AND user_name = session_user;
    IF FOUND THEN RETURN v_reply; END IF;
  END IF;
  CASE p_write
${cases}
    ELSE PERFORM fail('unknown-write', p_write);
  END CASE;
  IF v.chat IS NULL THEN RETURN json_build_object('result', v.result, 'changes', v.changes)::text; END IF;
  RETURN record_change(v.chat, v.sequence, p_request, v.result, v.changes);
END`,
    'VOLATILE',
  ),
  entry('remove_leaving', 'p_limit int', 'int', 'BEGIN RETURN remove_piece(p_limit); END', 'VOLATILE'),
  entry('finish_leaving', '', 'void', 'BEGIN PERFORM end_leaving(); END', 'VOLATILE'),
  entry(
    'collect_unused_blobs',
    'p_grace bigint',
    'json',
    'BEGIN RETURN collect_blobs(now_ms() - p_grace); END',
    'VOLATILE',
  ),
].join('\n');
