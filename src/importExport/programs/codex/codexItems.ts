import { z } from 'zod';

// The records of a Codex rollout: one per line. Undocumented; only messages are read.

const part = z.union([
  z.object({
    type: z.enum(['input_text', 'output_text', 'text', 'reasoning_text', 'summary_text']),
    text: z.string(),
  }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  z.object({ type: z.literal('encrypted_content'), encrypted_content: z.string() }),
  z.looseObject({}).transform(() => ({ type: 'other' }) as const),
]);
export type CodexPart = z.infer<typeof part>;

const parts = z.array(part);
const output = z.union([
  z.string(),
  parts,
  z.object({ content: z.string(), success: z.boolean().optional().catch(undefined) }),
  z.unknown().transform((value) => JSON.stringify(value ?? null)),
]);

export const responseItem = z.union([
  z.object({ type: z.literal('message'), role: z.string(), content: parts }),
  /** What an agent tells another one. */
  z.object({ type: z.literal('agent_message'), recipient: z.string(), content: parts }),
  z.object({
    type: z.literal('reasoning'),
    summary: parts.optional().catch(undefined),
    content: parts.nullish().catch(undefined),
  }),
  z.object({
    type: z.literal('function_call'),
    name: z.string(),
    arguments: z.string(),
    call_id: z.string(),
  }),
  z.object({ type: z.literal('custom_tool_call'), name: z.string(), input: z.string(), call_id: z.string() }),
  z.object({
    type: z.literal('local_shell_call'),
    call_id: z.string().nullish(),
    id: z.string().nullish(),
    action: z.unknown().optional(),
  }),
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output,
  }),
  z.object({ type: z.literal('web_search_call'), id: z.string().nullish(), action: z.unknown().optional() }),
]);
export type ResponseItem = z.infer<typeof responseItem>;

export const silentItems = new Set(['ghost_snapshot', 'other', 'compaction', 'compaction_summary']);

/** Lines about the session and not the conversation. */
export const silentLines = new Set([
  'world_state',
  'token_usage_record',
  'inter_agent_communication_metadata',
]);

const ordinal = z.int().min(0).optional().catch(undefined);

const spawned = z.object({
  subagent: z.object({
    thread_spawn: z.object({
      parent_thread_id: z.string(),
      agent_path: z.string().nullish().catch(undefined),
      agent_nickname: z.string().nullish().catch(undefined),
    }),
  }),
});

export const sessionMeta = z.object({
  id: z.string().min(1),
  cwd: z.string().optional().catch(undefined),
  timestamp: z.string().optional().catch(undefined),
  forked_from_id: z.string().nullish().catch(undefined),
  /** What precedes a session that was forked or reverted stands in this rollout, up to this record. */
  history_base: z
    .object({ thread_id: z.string(), end_ordinal_exclusive: z.int().min(0) })
    .nullish()
    .catch(undefined),
  /** Of an agent; other sessions have a word here. */
  source: spawned.optional().catch(undefined),
  /** An agent's own records begin here, after a copy of what it was given. */
  subagent_history_start_ordinal: ordinal,
});
export type SessionMeta = z.infer<typeof sessionMeta>;

export const turnContext = z.object({ model: z.string() });

/** What models are told before the summary. */
export const SUMMARY_HEADING = /^Another language model started to solve this problem[^\n]*\n/u;

/** Results in the form that earlier versions kept, as a text in JSON. */
export const structuredOutput = z.object({
  output: z.string(),
  metadata: z.object({ exit_code: z.number() }),
});

export const compacted = z.object({ message: z.string() });

export const eventMessage = z.union([
  z.object({ type: z.literal('thread_rolled_back'), num_turns: z.int().min(0).max(1_000_000) }),
  z.object({ type: z.literal('thread_name_updated'), thread_name: z.string().nullish() }),
  z.object({ type: z.literal('turn_aborted') }),
  z
    .object({
      type: z.literal('item_completed'),
      item: z.object({ id: z.string(), status: z.enum(['failed', 'declined']) }),
    })
    .transform(({ item }) => ({ type: 'call_failed', callId: item.id }) as const),
  // The rest repeats items, or describes the session.
  z.object({ type: z.string() }).transform(() => ({ type: 'other' }) as const),
]);

/** Undefined when it is not the first record of a rollout. */
export function codexMeta(value: unknown): SessionMeta | undefined {
  const line = rolloutLine.safeParse(value).data;
  if (line?.type === 'session_meta') return sessionMeta.safeParse(line.payload).data;
  // The first versions have a header without a type.
  const isHeader = typeof value === 'object' && value !== null && 'id' in value && 'instructions' in value;
  return isHeader ? sessionMeta.safeParse(value).data : undefined;
}

/** What `spawn_agent` answers: the session of the agent, or its path. */
export const spawnedAgent = z.union([
  z.object({ agent_id: z.string() }).transform(({ agent_id: name }) => name),
  z.object({ task_name: z.string() }).transform(({ task_name: name }) => name),
]);

/** A line of `session_index.jsonl`: the last one for a session counts. */
export const indexedName = z.object({ id: z.string(), thread_name: z.string() });

/** A line; in the first versions lines are items themselves, after a header without a type. */
export const rolloutLine = z.object({
  timestamp: z.string().optional().catch(undefined),
  ordinal,
  type: z.string(),
  payload: z.unknown().optional(),
});

/** Newer versions say of each part of a message what it is; a user's are `user.text` and the like. */
const kinds = z.object({
  internal_chat_message_metadata_passthrough: z.object({
    content_item_kinds: z.array(z.string()).min(1),
  }),
});

/** Beginnings of texts in the user's role that come from the program: instructions and the session's environment. */
const contextual = [
  ...['<environment_context>', '<user_instructions>', '# AGENTS.md instructions', '<skill>'],
  ...['<permissions instructions>', '<turn_aborted>', '<subagent_notification>', '<collaboration_mode>'],
  ...['<model_switch>', '<codex_internal_context', '<recommended_plugins>', '<hook_prompt'],
];

export function isContextual(payload: unknown, text: string): boolean {
  const known = kinds.safeParse(payload).data?.internal_chat_message_metadata_passthrough;
  if (known) return !known.content_item_kinds.some((kind) => kind.startsWith('user.'));
  const start = text.trimStart();
  return contextual.some((each) => start.startsWith(each));
}

/** The tags that models are given around a picture. */
const PICTURE_TAG = /^<(?:image(?:\s[^>]*)?|\/image)>$/u;

/** Without the tags next to pictures. */
export function withoutPictureTags(parts: readonly CodexPart[]): CodexPart[] {
  const isPicture = (part: CodexPart | undefined): boolean => part?.type === 'input_image';
  return parts.filter(
    (part, at) =>
      !('text' in part && PICTURE_TAG.test(part.text.trim())) ||
      !(isPicture(parts[at - 1]) || isPicture(parts[at + 1])),
  );
}

export function partText(part: CodexPart): string[] {
  return 'text' in part && part.text !== '' ? [part.text] : [];
}

export function textOfParts(parts: readonly CodexPart[]): string {
  return parts.flatMap(partText).join('\n\n');
}

/** What precedes the words of an agent's message. */
const ENVELOPE = /^Message Type: [^\n]*\n(?:[A-Z][^\n]*: [^\n]*\n)*Payload:\n/u;

/** What one agent tells another; undefined when it is encrypted. */
export function payloadOf(parts: readonly CodexPart[]): string | undefined {
  const texts = parts.flatMap((part) => {
    if ('text' in part) return [part.text.replace(ENVELOPE, '')];
    // A server that doesn't encrypt them leaves the words as they are.
    const isPlain = part.type === 'encrypted_content' && /\s/u.test(part.encrypted_content.trim());
    return isPlain ? [part.encrypted_content] : [];
  });
  const text = texts.join('').trim();
  return text === '' ? undefined : text;
}
