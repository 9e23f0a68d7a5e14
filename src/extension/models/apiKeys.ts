import * as vscode from 'vscode';
import { ModelError } from '../../models/errors/modelErrors.ts';
import { isCleartext } from '../../models/requests/originFetch.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/**
 * Keys of model servers, in VS Code's secret storage. Each belongs to the origin it was entered for and is never used
 * for another, even if the settings change.
 */
export class ApiKeys implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** In this window or another. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly secrets: vscode.SecretStorage) {
    this.subscription = secrets.onDidChange(() => this.changed.fire());
  }

  async get(origin: string): Promise<string | undefined> {
    const key = await this.secrets.get(secretName(origin));
    return key === undefined || key === '' ? undefined : key;
  }

  /** @throws ModelError `plain-http` when it would be sent unencrypted, and the user has not agreed to that */
  async forSending(origin: string): Promise<string | undefined> {
    const key = await this.get(origin);
    if (key === undefined || (await this.mayBeSent(origin))) return key;
    throw new ModelError(
      'plain-http',
      defineMessage(
        'The key for {0} was not sent: the connection is not encrypted. Enter an https:// address, or run “Offshoot: Select Model › Set API Key…” to allow it.',
        origin,
      ),
    );
  }

  /** The connection is safe, or the user has agreed. */
  async mayBeSent(origin: string): Promise<boolean> {
    return !isCleartext(origin) || (await this.secrets.get(consentName(origin))) !== undefined;
  }

  /** The user has agreed to it. */
  async allowUnencrypted(origin: string): Promise<void> {
    await this.secrets.store(consentName(origin), 'yes');
  }

  async set(origin: string, key: string): Promise<void> {
    await this.secrets.store(secretName(origin), key);
  }

  async remove(origin: string): Promise<void> {
    await this.secrets.delete(secretName(origin));
    await this.secrets.delete(consentName(origin));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function secretName(origin: string): string {
  return `offshoot.key:${origin}`;
}

function consentName(origin: string): string {
  return `offshoot.unencrypted:${origin}`;
}
