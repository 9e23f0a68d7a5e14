import type * as vscode from 'vscode';
import { z } from 'zod';
import type { AllowanceMemory } from '../../agent/tools/approvals.ts';

const KEY = 'offshoot.allowances';

const stored = z.array(z.string()).catch([]);

/** Permanent, in this workspace. */
export class WorkspaceAllowances implements AllowanceMemory {
  constructor(private readonly memory: vscode.Memento) {}

  list(): readonly string[] {
    return stored.parse(this.memory.get(KEY) ?? []);
  }

  has(kind: string): boolean {
    return this.list().includes(kind);
  }

  async add(kind: string): Promise<void> {
    if (!this.has(kind)) await this.memory.update(KEY, [...this.list(), kind]);
  }

  async clear(): Promise<void> {
    await this.memory.update(KEY, undefined);
  }
}
