/** The artifact with the plan of a branch: Markdown whose checkboxes are its steps. */
export const PLAN = 'plan.md';

/** The longest plan, in UTF-16 units. */
export const MAX_PLAN = 200_000;

/** The type of the part by which a question edits the plan, or has it implemented. */
export const PLAN_PART = 'data-plan';
