import type * as vscode from 'vscode';
import type { SharedAddress } from './sharedAddress.ts';

/** The passwords and tokens of shared stores, only ever in VS Code's secret storage. */
export class SharedPasswords {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** '' if the server needs none. */
  async get(address: SharedAddress): Promise<string> {
    return (await this.secrets.get(keyOf(address))) ?? '';
  }

  async set(address: SharedAddress, password: string): Promise<void> {
    if (password === '') await this.remove(address);
    else await this.secrets.store(keyOf(address), password);
  }

  async remove(address: SharedAddress): Promise<void> {
    await this.secrets.delete(keyOf(address));
  }
}

/** Leaves out the parameters of an address, which may change. */
function keyOf({ role, host, database }: SharedAddress): string {
  return `offshoot.sharedStore ${JSON.stringify([role, host, database])}`;
}
