import { cycleTools } from '../../src/agent/checkpoints/cycleTools.ts';
import {
  Approvals,
  type AllowanceMemory,
  type ApprovalChoice,
  type PendingApproval,
} from '../../src/agent/tools/approvals.ts';
import { readTools } from '../../src/agent/tools/workspace/readTools.ts';
import { writeTools } from '../../src/agent/tools/workspace/writeTools.ts';
import { Sequencer } from '../../src/base/sequencer.ts';
import { RecordingWriter, VersionKeeper } from '../../src/files/recordingWriter.ts';
import type { Script } from '../fixtures/openaiServer.ts';
import { memoryStore } from '../fixtures/stores.ts';
import { newWorld, type World, type WorldOptions } from './agentWorld.ts';
import type { TestWorkspace } from './testWorkspace.ts';

/** What was allowed for a workspace, for as long as the test runs. */
export class MemoryAllowances implements AllowanceMemory {
  readonly kinds = new Set<string>();
  has(kind: string): boolean {
    return this.kinds.has(kind);
  }
  list(): readonly string[] {
    return [...this.kinds];
  }
  add(kind: string): Promise<void> {
    this.kinds.add(kind);
    return Promise.resolve();
  }
  clear(): Promise<void> {
    this.kinds.clear();
    return Promise.resolve();
  }
}

/** A user who is asked, and answers as the test says. */
export class Person {
  readonly asked: PendingApproval[] = [];
  readonly allowances = new MemoryAllowances();
  readonly approvals: Approvals;

  /** @param isStanding what a setting of theirs allows */
  constructor(
    private readonly choose: (asked: PendingApproval) => ApprovalChoice | undefined,
    isStanding: (kind: string) => boolean = () => false,
  ) {
    this.approvals = new Approvals(this.allowances, isStanding);
    this.approvals.onDidChange(() => {
      for (const approval of this.approvals.list()) {
        if (this.asked.includes(approval)) continue;
        this.asked.push(approval);
        const choice = this.choose(approval);
        if (choice !== undefined) queueMicrotask(() => this.approvals.answer(approval.id, choice));
      }
    });
  }
}

/** A model that reads and writes the files of a workspace. */
export async function writingWorld(
  workspace: TestWorkspace,
  person: Person,
  script: Script,
  { tools: moreTools, ...more }: WorldOptions = {},
): Promise<World> {
  const store = memoryStore();
  const { files } = workspace;
  const limits = () => ({ maxFileSize: 10_000_000, budget: 100_000_000 });
  const keeper = new VersionKeeper({ blobs: store.blobs, limits, onNotKept: () => undefined });
  const sequencer = new Sequencer();
  return newWorld({
    store,
    script,
    tools: () => [...cycleTools, ...readTools(workspace), ...writeTools(workspace), ...(moreTools?.() ?? [])],
    approvals: person.approvals,
    fileWriter: (engine) => new RecordingWriter({ files, keeper, sequencer }, engine.files),
    ...more,
  });
}
