import { z } from 'zod';
import type { EngineArtifacts } from '../../engine/artifacts.ts';
import type { EngineState } from '../../engine/state.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedContextParts } from '../attachments/attachedContext.ts';
import { MAX_PLAN, PLAN, PLAN_PART } from './planFacts.ts';
import {
  markReported,
  planSteps,
  tickReported,
  withCheckboxes,
  withTicksSince,
  type StepReport,
} from './planSteps.ts';
import { isOfPlan, MAX_TITLE, MAX_TODOS, ofPlan, readTodos, TODOS, type Todo } from './todoList.ts';

/** State: the user has edited the plan, and models don't know yet. */
const UNTOLD = 'offshoot:plan-edited';

/** Where a plan is kept: an engine on its branch, or what a tool gets of that. */
export interface PlanPlace {
  readonly state: EngineState;
  readonly artifacts: EngineArtifacts;
}

export async function readPlan({ artifacts }: Pick<PlanPlace, 'artifacts'>): Promise<string | undefined> {
  const kept = await artifacts.load(PLAN);
  return kept && new TextDecoder().decode(kept.data);
}

/** Whether the todo list is the one of the plan: it is being implemented. */
export async function isImplemented({ state }: Pick<PlanPlace, 'state'>): Promise<boolean> {
  return isOfPlan(await state.get(TODOS));
}

/** A new version of the plan, and the list that follows from it; both with the next save of the engine. */
export async function savePlan(place: PlanPlace, plan: string): Promise<void> {
  if (plan !== (await readPlan(place))) {
    await place.artifacts.save(PLAN, new TextEncoder().encode(plan), { mediaType: 'text/markdown' });
  }
  if (await isImplemented(place)) await deriveTodos(place, plan);
}

/** Keeps what an answer in plan mode ends with, if there is a step in it. */
export async function keepPlanOf(place: PlanPlace, answered: string): Promise<void> {
  const plan = withCheckboxes(answered.trim().slice(0, MAX_PLAN).toWellFormed());
  if (planSteps(plan).length === 0) return;
  // Another plan: nothing of it has been begun.
  if (await isImplemented(place)) place.state.delete(TODOS);
  await savePlan(place, `${plan}\n`);
}

/** An edit by the user that models are told of with the next question. */
export async function editPlan(place: PlanPlace, edit: PlanEdit): Promise<void> {
  await savePlan(place, await merged(place, edit));
  place.state.set(UNTOLD, true);
}

/**
 * The todo list as the user wants it: ticked, unticked or, as an undo brings it back, as it was.
 * @returns false if it is not the list of the plan
 */
export async function editSteps(place: PlanPlace, todos: readonly Todo[]): Promise<boolean> {
  const now = await place.state.get(TODOS);
  const plan = now === undefined || isOfPlan(now) ? await readPlan(place) : undefined;
  if (plan === undefined || todos.length === 0) return false;
  const { plan: marked, unknown } = markReported(plan, reportsOf(todos));
  if (unknown.length > 0) return false;
  await savePlan(place, marked);
  place.state.set(TODOS, ofPlan(todos));
  place.state.set(UNTOLD, true);
  return true;
}

export interface ReportedSteps {
  /** What the plan has no step for; then nothing was taken. */
  readonly unknown: readonly string[];
  readonly steps: readonly Todo[];
}

/** @returns undefined if the plan is done, or gone, and the list is about something else */
export async function tickSteps(
  place: PlanPlace,
  todos: readonly Todo[],
): Promise<ReportedSteps | undefined> {
  const plan = await readPlan(place);
  if (plan === undefined) return undefined;
  const { plan: ticked, unknown, found } = tickReported(plan, reportsOf(todos));
  const hasOpen = planSteps(plan).some(({ isDone }) => !isDone);
  if (!hasOpen && unknown.length === todos.length) return undefined;
  if (unknown.length > 0) return { unknown, steps: todosOf(plan) };
  await savePlan(place, ticked);
  const steps = todosOf(ticked, found[todos.findIndex(({ status }) => status === 'in_progress')]);
  place.state.set(TODOS, ofPlan(steps));
  return { unknown, steps };
}

function reportsOf(todos: readonly Todo[]): StepReport[] {
  return todos.map(({ title, status }) => ({ title, isDone: status === 'done' }));
}

/** The plan's steps as a list: all of them, or the open ones if there are too many. */
function todosOf(plan: string, current?: number): Todo[] {
  const all = planSteps(plan).map(({ title, isDone }, index): Todo => {
    const shown = title.slice(0, MAX_TITLE).toWellFormed().trim();
    return {
      title: shown === '' ? `${index + 1}` : shown,
      status: isDone ? 'done' : index === current ? 'in_progress' : 'pending',
    };
  });
  const isShort = all.length <= MAX_TODOS;
  return (isShort ? all : all.filter(({ status }) => status !== 'done')).slice(0, MAX_TODOS);
}

async function deriveTodos({ state }: PlanPlace, plan: string): Promise<void> {
  const before = readTodos(await state.get(TODOS));
  const current =
    before === 'damaged' ? undefined : before.find(({ status }) => status === 'in_progress')?.title;
  const steps = todosOf(plan);
  state.set(
    TODOS,
    ofPlan(
      steps.map((step) =>
        step.title === current && step.status === 'pending' ? { ...step, status: 'in_progress' } : step,
      ),
    ),
  );
}

const planEdit = z.object({
  /** What was edited. */
  before: z.string().max(MAX_PLAN),
  after: z.string().max(MAX_PLAN),
});
export type PlanEdit = z.infer<typeof planEdit>;

/** What a question does to the plan of its branch, once it is saved there. */
const planAction = z.object({
  /** The plan that it has implemented. */
  implements: z.string().max(MAX_PLAN).optional(),
  edit: planEdit.optional(),
});
type PlanAction = z.infer<typeof planAction>;

/** The parts of a question with which the plan is edited while an answer is written. */
export function editParts(edit: PlanEdit): UIMessagePart[] {
  return [actionPart({ edit }), ...toldParts(edit.after)];
}

/** The parts of the question that has the plan implemented. */
export function implementParts(plan: string): UIMessagePart[] {
  return [
    actionPart({ implements: plan }),
    ...attachedContextParts(
      { of: 'text', name: PLAN },
      `the plan to implement, ${PLAN}. Do its open steps. They are the todo list: report them with write_todos under ` +
        'their own titles, each as soon as it is done; that ticks it in the plan. The user may tick, add or change steps',
      plan,
    ),
  ];
}

/** Does to the plan what a question says, before the question is saved. */
export async function takePlanParts(place: PlanPlace, parts: readonly UIMessagePart[]): Promise<void> {
  for (const part of parts) {
    const { edit, implements: plan } = planActionOf(part) ?? {};
    if (edit) await savePlan(place, await merged(place, edit));
    if (plan === undefined) continue;
    // It comes with the question.
    place.state.delete(UNTOLD);
    place.state.set(TODOS, ofPlan(todosOf(plan)));
  }
}

/** The edit that a question brings; undefined if it brings none. */
export function planEditIn(parts: readonly UIMessagePart[]): PlanEdit | undefined {
  return parts.flatMap((part) => planActionOf(part)?.edit ?? []).at(-1);
}

function planActionOf(part: UIMessagePart): PlanAction | undefined {
  return part.type === PLAN_PART && 'data' in part ? planAction.safeParse(part.data).data : undefined;
}

/** Tells a model once of what the user edited before this question. */
export async function untoldParts(place: PlanPlace): Promise<UIMessagePart[]> {
  if ((await place.state.get(UNTOLD)) === undefined) return [];
  place.state.delete(UNTOLD);
  const plan = await readPlan(place);
  return plan === undefined ? [] : toldParts(plan);
}

async function merged(place: PlanPlace, { before, after }: PlanEdit): Promise<string> {
  return withTicksSince(before, (await readPlan(place)) ?? before, after);
}

function toldParts(plan: string): UIMessagePart[] {
  return attachedContextParts(
    { of: 'text', name: PLAN },
    `the plan, ${PLAN}, as they have edited it. It replaces what was planned before`,
    plan,
  );
}

function actionPart(data: PlanAction): UIMessagePart {
  return { type: PLAN_PART, data };
}
