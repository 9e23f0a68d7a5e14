import { findMemory, type FoundFacts } from '../../src/agent/memory/findMemory.ts';
import { memoryLock } from '../../src/agent/memory/memoryLock.ts';
import { memoryPlaces, type MemoryPlace } from '../../src/agent/memory/memoryPlace.ts';
import { rememberTool, type MemoryHost } from '../../src/agent/memory/rememberTool.ts';
import type { AgentTool } from '../../src/agent/tools/tool.ts';
import type { JsonValue } from '../../src/engine/json.ts';
import { NodeFiles } from '../../src/host/node/nodeFiles.ts';
import { NodeGuardedFiles, onThisMachine } from '../../src/host/node/nodeGuardedFiles.ts';
import { NodeWorkspaceFiles } from '../../src/host/node/nodeWorkspaceFiles.ts';
import { PathGuard } from '../../src/host/node/pathGuard.ts';
import { writeJournalIn } from '../fixtures/realWorkspace.ts';
import { TestWorkspace } from './testWorkspace.ts';

/** A project and the user's own folder, each with what it remembers. */
export class MemoryWorld implements AsyncDisposable {
  private constructor(
    readonly project: TestWorkspace,
    readonly home: TestWorkspace,
  ) {}

  static async create(): Promise<MemoryWorld> {
    return new MemoryWorld(await TestWorkspace.create(), await TestWorkspace.create());
  }

  places({ hasHome = true } = {}): readonly MemoryPlace[] {
    const { home, project } = this;
    const own = new NodeGuardedFiles(() => [{ name: '~', uri: home.uri('') }]);
    return memoryPlaces(
      (folders) =>
        new NodeWorkspaceFiles(
          new PathGuard(() => onThisMachine(folders())),
          writeJournalIn(project.storage),
        ),
      memoryLock(new NodeFiles(), project.storage),
      project.guarded,
      hasHome ? own : undefined,
    );
  }

  host(how?: Parameters<MemoryWorld['places']>[0]): MemoryHost {
    return {
      isOn: () => true,
      places: () => Promise.resolve(this.places(how)),
      changed: () => undefined,
      load: () => import('../../src/agent/memory/remember.ts'),
    };
  }

  tool(how?: Parameters<MemoryWorld['places']>[0]): AgentTool {
    return rememberTool(this.host(how), this.project);
  }

  async find(onBranch?: JsonValue): Promise<readonly FoundFacts[]> {
    return findMemory(this.places(), await this.project.texts(), onBranch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}
