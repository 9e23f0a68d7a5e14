import { ToolError } from '../tools/toolError.ts';
import type { AgentCheckpoint, CheckpointDetails } from './agentCheckpoint.ts';

/** A requested rewind that waits for the end of the step. */
export interface RequestedRewind {
  readonly checkpoint: AgentCheckpoint;
  readonly report: string;
}

/**
 * What the calls of one step do to the agent's checkpoints. A checkpoint takes effect from the next step, because it
 * is the end of this one; a rewind is only recorded, and the run performs it if the step ends well.
 */
export class StepCheckpoints {
  private begun: CheckpointDetails[] = [];
  private requested: RequestedRewind | undefined;

  constructor(
    private readonly active: readonly AgentCheckpoint[],
    private readonly isSubagent: boolean,
    private readonly now: () => number,
  ) {}

  get hasBegun(): boolean {
    return this.begun.length > 0;
  }

  get requestedRewind(): RequestedRewind | undefined {
    return this.requested;
  }

  /** @throws ToolError */
  begin(goal: string, name: string | undefined): CheckpointDetails {
    this.refuseSubagents();
    const known = [...this.active, ...this.begun];
    if (known.length > 0 && (name === undefined || known.some((each) => each.name === name))) {
      throw new ToolError(
        'Checkpoint already active. Call rewind with a report to end it, or give the new checkpoint a name of its own ' +
          'to explore further inside it.',
        'checkpoint-active',
      );
    }
    const details = {
      goal,
      ...(name === undefined ? {} : { name }),
      startedAt: new Date(this.now()).toISOString(),
    };
    this.begun.push(details);
    return details;
  }

  /** @throws ToolError */
  rewind(report: string, name: string | undefined): void {
    this.refuseSubagents();
    if (this.requested) {
      throw new ToolError(
        'No active checkpoint. A rewind was requested in this step already.',
        'no-checkpoint',
      );
    }
    const checkpoint =
      name === undefined ? this.active.at(-1) : this.active.findLast((each) => each.name === name);
    if (!checkpoint) throw new ToolError(`No active checkpoint.${this.whyNone(name)}`, 'no-checkpoint');
    if (report === '') throw new ToolError('Report cannot be empty.', 'empty-report');
    this.requested = { checkpoint, report };
  }

  private refuseSubagents(): void {
    if (this.isSubagent) throw new ToolError('Checkpoint not available in subagents.', 'subagent');
  }

  private whyNone(name: string | undefined): string {
    if (this.begun.length > 0)
      return ' The one just made begins when this step ends; rewind in a later step.';
    if (name === undefined || this.active.length === 0) return '';
    const names = this.active.map((each) => each.name ?? each.goal);
    return ` There is none named “${name}”; active: ${names.join(', ')}.`;
  }
}
