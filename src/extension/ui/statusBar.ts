import * as vscode from 'vscode';
import { inertText, plainText } from './inertText.ts';

export function showStatus(text: string, milliseconds: number, icon?: string): void {
  const shown = icon === undefined ? inertText(text) : withIcon(icon, text);
  vscode.window.setStatusBarMessage(shown, milliseconds);
}

export interface StatusFace {
  /** The id of the product icon before the text. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly accessibilityLabel: string;
  readonly backgroundColor: vscode.ThemeColor | undefined;
}

export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor(id: string, priority: number, name: string, command: vscode.Command) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
    this.item.name = name;
    this.item.command = command;
  }

  show({ icon, text, tooltip, accessibilityLabel, backgroundColor }: StatusFace): void {
    this.item.text = withIcon(icon, text);
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: plainText(accessibilityLabel) };
    this.item.backgroundColor = backgroundColor;
    this.item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function withIcon(icon: string, text: string): string {
  return `$(${icon}) ${inertText(text)}`;
}
