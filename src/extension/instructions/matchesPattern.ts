import * as vscode from 'vscode';
import type { MatchesPattern } from '../../agent/instructions/questionInstructions.ts';
import { patternBelow } from '../../agent/instructions/readApplyTo.ts';
import { uriBelow } from '../../platform/fileUri.ts';

/** VS Code's own globs. They check only the address of a document, so that none has to be opened. */
export const matchesPattern: MatchesPattern = (pattern, { folder, path }) => {
  const base = vscode.Uri.parse(folder, true);
  const selector = { pattern: new vscode.RelativePattern(base, patternBelow(pattern)) };
  const document = { uri: vscode.Uri.parse(uriBelow(folder, path), true), languageId: 'plaintext' };
  return vscode.languages.match(selector, document as vscode.TextDocument) > 0;
};
