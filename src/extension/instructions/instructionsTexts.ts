import * as vscode from 'vscode';
import type { InstructionsProblem } from '../../agent/instructions/instructions.ts';
import type { InstructionsOf } from './instructionsName.ts';

/** The initial text of a document: how to write instructions, and nothing that has an effect. */
export function templateFor(of: InstructionsOf): string {
  const about =
    of === 'workspace'
      ? vscode.l10n.t('Instructions for all chats of this workspace.')
      : vscode.l10n.t('Instructions for this chat, on all its branches. They add to those of the workspace.');
  return `# ${about}
# ${vscode.l10n.t('They are part of the system prompt from the next question on. Lines that begin with # are notes.')}

# ${vscode.l10n.t('Who the model is; replaces “a programming assistant”.')}
# role = "You are a careful reviewer of TypeScript."

# ${vscode.l10n.t('Short advice.')}
# hints = [
#   "Prefer small functions.",
#   "Show the diff before you explain it.",
# ]

# ${vscode.l10n.t('What must not be done, why, and what to do instead; one block for each.')}
# [[guardrails]]
# rule = "Do not change the public API."
# reason = "Other packages depend on it."
# action = "Propose the change in the chat."

# ${vscode.l10n.t('What you like; one block for each.')}
# [[preferences]]
# aspect = "language"
# value = "British English"
`;
}

/** What is wrong, and how to fix it. */
export function problemText({ what }: InstructionsProblem): string {
  switch (what.kind) {
    case 'syntax':
      return vscode.l10n.t(
        'This is not valid TOML: {0}. Put texts in double quotes, or in """ where they have several lines.',
        what.message.replace(/\.$/u, ''),
      );
    case 'too-long':
      return vscode.l10n.t('This is too long for a system prompt: shorten it to 100,000 characters.');
    case 'unknown':
      return what.isMisplaced
        ? vscode.l10n.t('“{0}” belongs to the block above it here: move it before the first [[…]].', what.key)
        : vscode.l10n.t(
            'There is no “{0}” here. Write role, hints, guardrails (rule, reason, action) or preferences (aspect, value).',
            what.key,
          );
    case 'wrong':
      return wrongText(what.path);
  }
}

function wrongText(path: string): string {
  switch (path) {
    case 'role':
      return vscode.l10n.t('Write the role as one text: {0}', 'role = "You are a careful reviewer."');
    case 'hints':
      return vscode.l10n.t('Write hints as a list of texts: {0}', 'hints = ["Be brief.", "Show diffs."]');
    case 'guardrails':
    case 'preferences':
      return vscode.l10n.t('Begin each of the {0} with a line {1}', path, `[[${path}]]`);
    case 'guardrails.rule':
      return vscode.l10n.t('Each guardrail needs a rule: {0}', 'rule = "Do not change the public API."');
    case 'preferences.aspect':
    case 'preferences.value':
      return vscode.l10n.t(
        'Each preference needs an aspect and a value: {0}',
        'aspect = "language", value = "British English"',
      );
    default:
      return vscode.l10n.t('“{0}” has to be a text in double quotes that is not empty.', path);
  }
}
