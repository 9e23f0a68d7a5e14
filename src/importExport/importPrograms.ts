/** How much of a file is examined, in UTF-16 units. */
export const BEGINNING_LENGTH = 8_192;

interface ProgramFacts {
  /** A product name, which is not translated. */
  readonly name: string;
  /** Patterns near the beginning of its files, one row for each kind; all patterns of a row must match. */
  readonly signs: readonly (readonly RegExp[])[];
}

/** A list of messages in the form of Anthropic's API. */
const taskSigns = [[/^\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:/u]] as const;

const facts = {
  'claude-code': {
    name: 'Claude Code',
    signs: [[/^\s*\{[^\n]*"(?:parentUuid|leafUuid)"\s*:/u], [/"parentUuid"\s*:/u, /"sessionId"\s*:/u]],
  },
  'qwen-code': {
    name: 'Qwen Code',
    signs: [[/^\s*\{[^\n]*"sessionId"\s*:/u, /"uuid"\s*:/u, /"parts"\s*:\s*\[|"systemPayload"\s*:/u]],
  },
  codex: { name: 'Codex', signs: [[/^\s*\{[^\n]*"type"\s*:\s*"session_meta"/u]] },
  cline: {
    name: 'Cline',
    // Since version 3 a file says which session its messages are of.
    signs: [...taskSigns, [/^\s*\{\s*"version"\s*:/u, /"sessionId"\s*:[^]*"messages"\s*:\s*\[/u]],
  },
  roo: { name: 'Roo Code', signs: taskSigns },
  vscode: {
    name: 'VS Code',
    // An export, a session, a log of one.
    signs: [
      [/^\s*\{[^]*"(?:responderUsername|requesterUsername|initialLocation)"\s*:/u, /"requests"\s*:\s*\[/u],
      [/^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/u],
    ],
  },
  pi: {
    name: 'pi',
    signs: [[/^\s*\{[^\n]*"type"\s*:\s*"session"/u, /"version"\s*:|"timestamp"\s*:/u]],
  },
  gemini: {
    name: 'Gemini CLI',
    signs: [[/^\s*\{[^]*"sessionId"\s*:/u, /"projectHash"\s*:/u]],
  },
  copilot: {
    name: 'Copilot CLI',
    signs: [[/^\s*\{[^\n]*"type"\s*:\s*"session\.start"/u]],
  },
  opencode: {
    name: 'opencode',
    signs: [[/^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/u]],
  },
  chatgpt: {
    name: 'ChatGPT',
    signs: [[/^\s*[[{][^]*"mapping"\s*:\s*\{/u, /"(?:parent|children|current_node|create_time)"\s*:/u]],
  },
  'claude-ai': { name: 'Claude.ai', signs: [[/^\s*[[{][^]*"chat_messages"\s*:\s*\[/u]] },
  librechat: {
    name: 'LibreChat',
    signs: [[/^\s*\{[^]*"conversationId"\s*:/u, /"(?:messages|messagesTree)"\s*:\s*\[/u]],
  },
  'open-webui': {
    name: 'Open WebUI',
    signs: [[/^\s*\[\s*\{[^]*"chat"\s*:\s*\{/u, /"(?:history|messages)"\s*:\s*[{[]/u]],
  },
  'big-agi': {
    name: 'big-AGI',
    signs: [[/^\s*\{[^]*"messages"\s*:\s*\[/u, /"(?:fragments|systemPurposeId|tokenCount)"\s*:/u]],
  },
  'cherry-studio': {
    name: 'Cherry Studio',
    signs: [[/^\s*\{[^]*"localStorage"\s*:\s*\{/u, /"persist:cherry-studio"\s*:/u]],
  },
  // Databases, which are no texts.
  cursor: { name: 'Cursor', signs: [] },
  zed: { name: 'Zed', signs: [] },
  offshoot: { name: 'Offshoot', signs: [[/^\s*\{[^]*"format"\s*:\s*"offshoot-conversations"/u]] },
} as const satisfies Readonly<Record<string, ProgramFacts>>;

export type Program = keyof typeof facts;

export const programs: Readonly<Record<Program, ProgramFacts>> = facts;

/** A rough check for an offer, by the first {@link BEGINNING_LENGTH} units; the import itself is strict. */
export function looksLikeConversations(beginning: string): boolean {
  return Object.values(programs).some(({ signs }) =>
    signs.some((row) => row.every((sign) => sign.test(beginning))),
  );
}
