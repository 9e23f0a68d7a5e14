import * as vscode from 'vscode';
import { AlternativesPanel, type AlternativesPosition } from '../../src/extension/chat/alternativesPanel.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';

/** The host of a page of answers, with no page: what a test says stands for it. */
export function openAlternatives(
  { parts }: Offshoot,
  place: AlternativesPosition,
): {
  readonly kept: string[];
  readonly posted: readonly { readonly type: string }[];
  say(message: object): void;
  [Symbol.dispose](): void;
} {
  const said = new vscode.EventEmitter<unknown>();
  const posted: { readonly type: string }[] = [];
  const kept: string[] = [];
  const page = {
    webview: {
      onDidReceiveMessage: said.event,
      postMessage: (message: { readonly type: string }) => Promise.resolve(posted.push(message) > 0),
    },
    onDidChangeViewState: new vscode.EventEmitter<void>().event,
  };
  const panel = new AlternativesPanel(
    parts,
    place,
    page as unknown as vscode.WebviewPanel,
    (_place, branch) => Promise.resolve(kept.push(branch) === 0),
    vscode.Uri.file('/'),
  );
  return { kept, posted, say: (message) => said.fire(message), [Symbol.dispose]: () => panel.dispose() };
}
