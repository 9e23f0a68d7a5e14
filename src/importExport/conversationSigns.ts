import type { Program } from './importPrograms.ts';

/** How much of a file is examined, in UTF-16 units. */
export const BEGINNING_LENGTH = 8_192;

/** Patterns near the beginning of a program's files, one row for each kind; all patterns of a row must match. */
type Signs = readonly (readonly RegExp[])[];

/** A list of messages in the form of Anthropic's API. */
const taskSigns: Signs = [[/^\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:/u]];

const signsOf: Readonly<Record<Program, Signs>> = {
  'claude-code': [[/^\s*\{[^\n]*"(?:parentUuid|leafUuid)"\s*:/u], [/"parentUuid"\s*:/u, /"sessionId"\s*:/u]],
  'qwen-code': [[/^\s*\{[^\n]*"sessionId"\s*:/u, /"uuid"\s*:/u, /"parts"\s*:\s*\[|"systemPayload"\s*:/u]],
  codex: [[/^\s*\{[^\n]*"type"\s*:\s*"session_meta"/u]],
  // Since version 3 a file says which session its messages are of.
  cline: [...taskSigns, [/^\s*\{\s*"version"\s*:/u, /"sessionId"\s*:[^]*"messages"\s*:\s*\[/u]],
  roo: taskSigns,
  // An export, a session, a log of one.
  vscode: [
    [/^\s*\{[^]*"(?:responderUsername|requesterUsername|initialLocation)"\s*:/u, /"requests"\s*:\s*\[/u],
    [/^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/u],
  ],
  pi: [[/^\s*\{[^\n]*"type"\s*:\s*"session"/u, /"version"\s*:|"timestamp"\s*:/u]],
  gemini: [[/^\s*\{[^]*"sessionId"\s*:/u, /"projectHash"\s*:/u]],
  copilot: [[/^\s*\{[^\n]*"type"\s*:\s*"session\.start"/u]],
  opencode: [[/^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/u]],
  chatgpt: [[/^\s*[[{][^]*"mapping"\s*:\s*\{/u, /"(?:parent|children|current_node|create_time)"\s*:/u]],
  'claude-ai': [[/^\s*[[{][^]*"chat_messages"\s*:\s*\[/u]],
  librechat: [[/^\s*\{[^]*"conversationId"\s*:/u, /"(?:messages|messagesTree)"\s*:\s*\[/u]],
  'open-webui': [[/^\s*\[\s*\{[^]*"chat"\s*:\s*\{/u, /"(?:history|messages)"\s*:\s*[{[]/u]],
  'big-agi': [[/^\s*\{[^]*"messages"\s*:\s*\[/u, /"(?:fragments|systemPurposeId|tokenCount)"\s*:/u]],
  'cherry-studio': [[/^\s*\{[^]*"localStorage"\s*:\s*\{/u, /"persist:cherry-studio"\s*:/u]],
  // Databases, which are no texts.
  cursor: [],
  zed: [],
  offshoot: [[/^\s*\{[^]*"format"\s*:\s*"offshoot-conversations"/u]],
};

/** A rough check for an offer, by the first {@link BEGINNING_LENGTH} units; the import itself is strict. */
export function looksLikeConversations(beginning: string): boolean {
  return Object.values(signsOf).some((signs) =>
    signs.some((row) => row.every((sign) => sign.test(beginning))),
  );
}
