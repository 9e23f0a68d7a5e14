import * as vscode from 'vscode';

/**
 * Keys of model servers, in VS Code's secret storage. Each belongs to the origin it was entered for and is never given
 * out for another, wherever the settings may point.
 */
export class ApiKeys implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** A key was set or removed, in this window or another. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly secrets: vscode.SecretStorage) {
    this.subscription = secrets.onDidChange(() => this.changed.fire());
  }

  async get(origin: string): Promise<string | undefined> {
    const key = await this.secrets.get(secretName(origin));
    return key === undefined || key === '' ? undefined : key;
  }

  async set(origin: string, key: string): Promise<void> {
    await this.secrets.store(secretName(origin), key);
  }

  async remove(origin: string): Promise<void> {
    await this.secrets.delete(secretName(origin));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function secretName(origin: string): string {
  return `offshoot.key:${origin}`;
}
