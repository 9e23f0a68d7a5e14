import * as vscode from 'vscode';
import type { PromptProblem } from '../../agent/prompts/promptText.ts';
import { sizeText } from '../ui/formats.ts';

/** Why a prompt file or a skill can’t be used, as the end of a sentence. */
export function problemText(problem: PromptProblem): string {
  switch (problem.kind) {
    case 'too-large':
      return vscode.l10n.t('it is too large ({0})', sizeText(problem.size));
    case 'no-text':
      return vscode.l10n.t('it is no text');
    case 'secret':
      return vscode.l10n.t('its name is that of a file with secrets');
    case 'outside':
      return vscode.l10n.t('it leads out of its folder');
    case 'no-description':
      return vscode.l10n.t('it has no description');
    case 'front-matter':
      return vscode.l10n.t('its front matter can’t be read ({0})', problem.text.slice(0, 200));
  }
}
