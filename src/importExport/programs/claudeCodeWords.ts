import { NOTES } from '../anthropicBlocks.ts';
import { consoleText } from '../consoleText.ts';
import type { ClaudeRecord } from './claudeCodeRecords.ts';

/** The tags around what the program and its hooks add to the words of the user. */
export const CLAUDE_NOTES: readonly string[] = [
  ...NOTES,
  'user-prompt-submit-hook',
  'session-start-hook',
  'local-command-caveat',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'task-notification',
];

/** A record that looks like talk, and what it is. */
export type ClaudeWords =
  | { readonly kind: 'talk' }
  /** In the words of the user. */
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'interrupted' }
  /** The user ran it by `!`; its output is a record of its own. */
  | { readonly kind: 'shell-command'; readonly command: string }
  | { readonly kind: 'shell-output'; readonly output: string }
  /** A command to the program, which no model sees, or its output. */
  | { readonly kind: 'local-command' }
  /** The program wrote it where it needs an answer and none was asked for. */
  | { readonly kind: 'placeholder' };

const TALK: ClaudeWords = { kind: 'talk' };

export function claudeWords({ type, message }: ClaudeRecord): ClaudeWords {
  const text = plainText(message?.content);
  if (message === undefined || text === undefined) return TALK;
  if (type === 'assistant') {
    const isPlaceholder = isSynthetic(message.model) && text.trim() === 'No response requested.';
    return isPlaceholder ? { kind: 'placeholder' } : TALK;
  }
  if (/^\[Request interrupted by user(?: for tool use)?\]$/u.test(text.trim()))
    return { kind: 'interrupted' };
  // A command that asks the model has its message first, one of the program its name.
  const name = elementOf(text, 'command-name');
  if (text.startsWith('<command-message>') && name !== undefined) {
    const given = elementOf(text, 'command-args') ?? '';
    return { kind: 'question', text: `${name} ${given}`.trim() };
  }
  if (/^<(?:command-name|local-command-(?:stdout|stderr))>/u.test(text)) return { kind: 'local-command' };
  if (text.startsWith('<bash-input>')) {
    return { kind: 'shell-command', command: elementOf(text, 'bash-input') ?? '' };
  }
  if (/^<bash-std(?:out|err)>/u.test(text)) {
    const outputs = ['bash-stdout', 'bash-stderr'].map((each) => elementOf(text, each) ?? '');
    return { kind: 'shell-output', output: outputs.filter((each) => each !== '').join('\n') };
  }
  return TALK;
}

/** What the program wrote itself has this model. */
export function isSynthetic(model: string | undefined): boolean {
  return model === '<synthetic>';
}

export function shellText(command: string, output: string): string {
  return consoleText({ command, output });
}

/** A summary without what the program says around it to the model. */
export function summaryText(text: string): string {
  return text
    .replace(
      /^This session is being continued from a previous conversation that ran out of context\.[^\n]*\n+/u,
      '',
    )
    .replace(/\n+If you need specific details from before compaction [^]*$/u, '')
    .trim();
}

function plainText(content: NonNullable<ClaudeRecord['message']>['content'] | undefined): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}

function elementOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`);
  const end = text.lastIndexOf(`</${name}>`);
  return start < 0 || end < start ? undefined : text.slice(start + name.length + 2, end).trim();
}
