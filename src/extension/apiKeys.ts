import type * as vscode from 'vscode';

/**
 * Keys of model servers, in VS Code's secret storage. Each belongs to the origin it was entered for and is never given
 * out for another, wherever the settings may point.
 */
export class ApiKeys {
  constructor(private readonly secrets: vscode.SecretStorage) {}

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
}

function secretName(origin: string): string {
  return `offshoot.key:${origin}`;
}
