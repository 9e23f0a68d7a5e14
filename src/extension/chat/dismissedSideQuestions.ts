import type * as vscode from 'vscode';
import { z } from 'zod';

const KEY = 'offshoot.dismissedAsides';

/** How many are remembered; older ones are no longer shown anyway. */
const MAX_REMEMBERED = 200;

/** By branch id. Their branches stay in the tree. */
export class DismissedSideQuestions {
  constructor(private readonly memory: vscode.Memento) {}

  has(branchId: string): boolean {
    return this.read().includes(branchId);
  }

  async add(branchId: string): Promise<void> {
    await this.memory.update(KEY, [...this.read(), branchId].slice(-MAX_REMEMBERED));
  }

  private read(): string[] {
    return z.array(z.string()).catch([]).parse(this.memory.get(KEY));
  }
}
