/** How much of a file is examined, in UTF-16 units. */
export const BEGINNING_LENGTH = 8_192;

/** Patterns near the beginning of each program's files; all patterns of one row must match. */
const signs: readonly (readonly RegExp[])[] = [
  // Offshoot.
  [/^\s*\{[^]*"format"\s*:\s*"offshoot-conversations"/u],
  // VS Code: an export, a session, a log of one.
  [/^\s*\{[^]*"(?:responderUsername|requesterUsername|initialLocation)"\s*:/u, /"requests"\s*:\s*\[/u],
  [/^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/u],
  // pi.
  [/^\s*\{[^\n]*"type"\s*:\s*"session"/u, /"version"\s*:|"timestamp"\s*:/u],
  // Codex.
  [/^\s*\{[^\n]*"type"\s*:\s*"session_meta"/u],
  // Claude Code.
  [/^\s*\{[^\n]*"(?:parentUuid|leafUuid)"\s*:/u],
  [/"parentUuid"\s*:/u, /"sessionId"\s*:/u],
  // ChatGPT and Claude.ai.
  [/^\s*[[{][^]*"mapping"\s*:\s*\{/u, /"(?:parent|children|current_node|create_time)"\s*:/u],
  [/^\s*[[{][^]*"chat_messages"\s*:\s*\[/u],
  // Cline and Roo.
  [/^\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:/u],
];

/**
 * Whether a file may hold importable conversations, by its first {@link BEGINNING_LENGTH} units: a rough check for an
 * offer; the import itself is strict.
 */
export function looksLikeConversations(beginning: string): boolean {
  return signs.some((row) => row.every((sign) => sign.test(beginning)));
}
