import { fragment, type Fragment, type FragmentData } from './fragment.ts';

// The vocabulary of a system prompt (seeds 000 and 002; signatures as the semantics have them).

const named = (name: string, data: FragmentData): Fragment => ({ name, type: 'fragment', data });

/** Who the model is. @example role('You are a careful reviewer.') */
export const role = (text: string): Fragment => named('role', text);

/** A short piece of advice. @example hint('Prefer small functions.') */
export const hint = (text: string): Fragment => named('hint', text);

/** A word and its meaning here. */
export const term = (name: string, definition: string): Fragment => named('term', { name, definition });

/** Something not to do, why, and what to do instead. */
export const guardrail = (input: { rule: string; reason?: string; action?: string }): Fragment =>
  named('guardrail', input);

/** The explanation of a concept, and its consequences. */
export const explain = (input: { concept: string; explanation: string; therefore?: string }): Fragment =>
  named('explain', input);

/** A question and the answer it should get. */
export const example = (input: { question: string; answer: string; note?: string }): Fragment =>
  named('example', input);

/** When to ask a clarifying question, which one, and why. */
export const clarification = (input: { when: string; ask: string; reason: string }): Fragment =>
  named('clarification', input);

/** The steps of a task. */
export const workflow = (input: {
  task: string;
  steps: readonly string[];
  triggers?: readonly string[];
  notes?: string;
}): Fragment => named('workflow', input);

/** A known issue and its workaround. */
export const quirk = (input: { issue: string; workaround: string }): Fragment => named('quirk', input);

/** How to write. */
export const styleGuide = (input: { prefer: string; never?: string; always?: string }): Fragment =>
  named('styleGuide', input);

/** What two things have in common. */
export const analogy = (input: {
  concepts: readonly string[];
  relationship: string;
  insight?: string;
  therefore?: string;
  pitfall?: string;
}): Fragment => named('analogy', input);

/** Words and the expressions they stand for. @example glossary({ AOV: 'sum/count' }) */
export const glossary = (entries: Readonly<Record<string, string>>): Fragment =>
  named(
    'glossary',
    Object.entries(entries).map(([word, expression]) => ({ term: word, expression })),
  );

/** A rule of thought, with the policies that follow from it. */
export const principle = (input: {
  title: string;
  description: string;
  policies?: readonly FragmentData[];
}): Fragment => named('principle', input);

/** A rule, and what it must be applied before. */
export const policy = (input: {
  rule: string;
  before?: string;
  reason?: string;
  policies?: readonly FragmentData[];
}): Fragment => named('policy', input);

/** Who the user is. */
export const identity = (input: { name?: string; role?: string }): Fragment => named('identity', input);

/** The persona of the model. */
export const persona = (input: {
  name: string;
  role?: string;
  objective?: string;
  tone?: string;
}): Fragment => named('persona', input);

/** Another word for something. */
export const alias = (word: string, meaning: string): Fragment => named('alias', { term: word, meaning });

/** What the user likes. */
export const preference = (aspect: string, value: string): Fragment => named('preference', { aspect, value });

/** A misunderstanding and its correction. */
export const correction = (subject: string, clarified: string): Fragment =>
  named('correction', { subject, clarification: clarified });

export { fragment };
