/** Product names, which are not translated. */
export const programs = {
  'claude-code': { name: 'Claude Code' },
  'qwen-code': { name: 'Qwen Code' },
  codex: { name: 'Codex' },
  cline: { name: 'Cline' },
  roo: { name: 'Roo Code' },
  vscode: { name: 'VS Code' },
  pi: { name: 'pi' },
  gemini: { name: 'Gemini CLI' },
  copilot: { name: 'Copilot CLI' },
  opencode: { name: 'opencode' },
  chatgpt: { name: 'ChatGPT' },
  'claude-ai': { name: 'Claude.ai' },
  librechat: { name: 'LibreChat' },
  'open-webui': { name: 'Open WebUI' },
  'big-agi': { name: 'big-AGI' },
  'cherry-studio': { name: 'Cherry Studio' },
  cursor: { name: 'Cursor' },
  zed: { name: 'Zed' },
  offshoot: { name: 'Offshoot' },
} as const satisfies Readonly<Record<string, { readonly name: string }>>;

export type Program = keyof typeof programs;
