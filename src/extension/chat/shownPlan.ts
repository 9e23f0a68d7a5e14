import { isOfPlan } from '../../agent/plans/todoList.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ConversationView } from '../../protocol/chatFromHost.ts';

type PlanView = NonNullable<ConversationView['plan']>;
type Progress = Pick<PlanView, 'done' | 'count'>;

/** How much of a plan is done; the last one is cached, because each refresh asks. */
export class ShownPlan {
  private last: { readonly hash: string; readonly progress: Progress | undefined } | undefined;

  constructor(private readonly store: Pick<ReadonlyStore, 'blobs'>) {}

  /**
   * Undefined for a plan without steps.
   * @param todos the stored list, which tells whether the plan is being implemented
   */
  async read(
    version: Pick<ArtifactVersion, 'hash'> | undefined,
    todos: JsonValue | undefined,
  ): Promise<PlanView | undefined> {
    if (!version) return undefined;
    const { hash } = version;
    if (this.last?.hash !== hash) {
      const bytes = await this.store.blobs.get(hash);
      if (!bytes) return undefined;
      const { planSteps } = await import('../../agent/plans/planSteps.ts');
      const steps = planSteps(new TextDecoder().decode(bytes));
      const done = steps.filter(({ isDone }) => isDone).length;
      this.last = { hash, progress: steps.length === 0 ? undefined : { done, count: steps.length } };
    }
    const { progress } = this.last;
    return progress && { ...progress, isBegun: progress.done > 0 || isOfPlan(todos) };
  }
}
