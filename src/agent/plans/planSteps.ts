/** A list item with a checkbox, on any level. */
export interface PlanStep {
  /** Its first line, without marks of Markdown that surround words. */
  readonly title: string;
  readonly isDone: boolean;
  /** How many steps it is part of. */
  readonly depth: number;
  /** Where the mark between its brackets is, in UTF-16 units. */
  readonly at: number;
}

/** What is said of a step, by its title. */
export interface StepReport {
  readonly title: string;
  readonly isDone: boolean;
}

interface Line {
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
}

const STEP = /^(?<before>\s*(?:[-*+]|\d{1,9}[.)])\s{1,4}\[)(?<mark>[ xX])\](?<rest>$|\s[^]*)/u;
const NUMBERED = /^(?<before>\d{1,9}[.)] )(?=\S)/u;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/u;
const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?<fence>`{3,}|~{3,})(?<info>.*)$/u;

/** In the order in which they stand. Code, comments and items without a checkbox are none. */
export function planSteps(plan: string): PlanStep[] {
  const steps: PlanStep[] = [];
  /** The indents of the steps that the next one may be part of. */
  let indents: number[] = [];
  let isInList = false;
  for (const { text, at } of proseLines(plan)) {
    if (text.trim() === '') continue;
    const indent = indentOf(text);
    const isItem = ITEM.test(text);
    // What is not indented ends a list; what is, without one, is code.
    if (!isItem && indent === 0) isInList = false;
    const isCode = !isInList && indent >= 4;
    if (!isItem || isCode) continue;
    if (!isInList) indents = [];
    isInList = true;
    const { before = '', mark, rest = '' } = STEP.exec(text)?.groups ?? {};
    if (mark === undefined) continue;
    indents = [...indents.filter((each) => each < indent), indent];
    steps.push({
      title: bare(rest),
      isDone: mark !== ' ',
      depth: indents.length - 1,
      at: at + before.length,
    });
  }
  return steps;
}

/** A plan of numbered steps without checkboxes gets them; every other one is as it was. */
export function withCheckboxes(plan: string): string {
  if (planSteps(plan).length > 0) return plan;
  let grown = '';
  let copied = 0;
  for (const { text, at } of proseLines(plan)) {
    const before = NUMBERED.exec(text)?.groups?.['before'];
    if (before === undefined) continue;
    const end = at + before.length;
    grown += `${plan.slice(copied, end)}[ ] `;
    copied = end;
  }
  return grown + plan.slice(copied);
}

/** Sets the marks of these steps, by their indexes; every other character stays. */
export function markSteps(plan: string, marks: ReadonlyMap<number, boolean>): string {
  const steps = planSteps(plan);
  let marked = '';
  let copied = 0;
  for (const [index, isDone] of [...marks].sort(([one], [other]) => one - other)) {
    const step = steps[index];
    if (!step || step.isDone === isDone) continue;
    marked += plan.slice(copied, step.at) + (isDone ? 'x' : ' ');
    copied = step.at + 1;
  }
  return marked + plan.slice(copied);
}

export interface Reported {
  readonly plan: string;
  /** What is no step of the plan. */
  readonly unknown: readonly string[];
  /** The index of the step of each report; undefined for those of no step. */
  readonly found: readonly (number | undefined)[];
}

/**
 * Ticks the steps that are reported as done, and those all of whose parts are. What is ticked stays so: the user may
 * have done it.
 */
export function tickReported(plan: string, reports: readonly StepReport[]): Reported {
  const steps = planSteps(plan);
  const { marks, ...rest } = findReported(steps, reports);
  const ticks = new Map([...marks].filter(([, isDone]) => isDone));
  tickWhole(steps, ticks);
  return { plan: markSteps(plan, ticks), ...rest };
}

/** Marks steps as they are reported, and no other. */
export function markReported(plan: string, reports: readonly StepReport[]): Reported {
  const { marks, ...rest } = findReported(planSteps(plan), reports);
  return { plan: markSteps(plan, marks), ...rest };
}

function findReported(
  steps: readonly PlanStep[],
  reports: readonly StepReport[],
): Omit<Reported, 'plan'> & { readonly marks: ReadonlyMap<number, boolean> } {
  const find = finder(steps);
  const marks = new Map<number, boolean>();
  const found = reports.map(({ title, isDone }) => {
    const index = find(title);
    if (index !== undefined) marks.set(index, isDone);
    return index;
  });
  return {
    marks,
    found,
    unknown: reports.flatMap(({ title }, at) => (found[at] === undefined ? [title] : [])),
  };
}

/**
 * The edited plan with what was ticked since its editing began.
 * @param before what was edited @param now what it is by now
 */
export function withTicksSince(before: string, now: string, edited: string): string {
  const known = planSteps(before);
  const findBefore = finder(known);
  const findEdited = finder(planSteps(edited), 'exact');
  const marks = new Map<number, boolean>();
  for (const { title, isDone } of planSteps(now)) {
    const at = findBefore(title);
    const index = findEdited(title);
    const wasDone = at !== undefined && known[at]?.isDone === true;
    if (isDone && !wasDone && index !== undefined) marks.set(index, true);
  }
  return markSteps(edited, marks);
}

/** A step is done when it has parts, and a mark now makes the last of them done. */
function tickWhole(steps: readonly PlanStep[], marks: Map<number, boolean>): void {
  const isDone = (index: number): boolean => marks.get(index) ?? steps[index]?.isDone ?? false;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const parts = partsOf(steps, index);
    if (parts.length > 0 && parts.every(isDone) && parts.some((part) => marks.has(part)))
      marks.set(index, true);
  }
}

function partsOf(steps: readonly PlanStep[], index: number): number[] {
  const depth = steps[index]?.depth ?? 0;
  const parts: number[] = [];
  for (let at = index + 1; at < steps.length; at += 1) {
    const other = steps[at];
    if (!other || other.depth <= depth) break;
    if (other.depth === depth + 1) parts.push(at);
  }
  return parts;
}

/** The shortest beginning of a title that may stand for it. */
const MIN_BEGINNING = 8;

/** Finds steps by title: of several with one title, the first that was not found yet. */
function finder(
  steps: readonly PlanStep[],
  how: 'exact' | 'beginning' = 'beginning',
): (title: string) => number | undefined {
  const keys = steps.map(({ title }) => keyOf(title));
  const found = new Set<number>();
  return (title) => {
    const key = keyOf(title);
    const same = keys.flatMap((each, index) => (each === key ? [index] : []));
    const begun =
      same.length > 0 || how === 'exact' || key.length < MIN_BEGINNING
        ? []
        : keys.flatMap((each, index) => (each.startsWith(key) ? [index] : []));
    const [only, ...others] = begun;
    const index =
      same.find((each) => !found.has(each)) ?? same[0] ?? (others.length === 0 ? only : undefined);
    if (index !== undefined) found.add(index);
    return index;
  };
}

/** Models write titles a little differently: with the number, or without the marks of code. */
function keyOf(title: string): string {
  return bare(title)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:step\s+)?\d+(?:\.\d+)*[.):]?\s+/u, '')
    .replace(/[\s.:;]+$/u, '')
    .replaceAll(/\s+/gu, ' ');
}

/** How much of a line is read as a title, in UTF-16 units. */
const MAX_READ = 1_000;

function bare(title: string): string {
  return title
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/`+|\*\*|__/gu, '')
    .trim();
}

function indentOf(line: string): number {
  let indent = 0;
  for (const character of line) {
    if (character === ' ') indent += 1;
    else if (character === '\t') indent += 4 - (indent % 4);
    else break;
  }
  return indent;
}

/** The lines outside of fenced code and of comments. */
function* proseLines(text: string): Generator<Line> {
  let fence: string | undefined;
  let isInComment = false;
  for (const line of linesOf(text)) {
    if (fence !== undefined) {
      if (closes(line.text, fence)) fence = undefined;
    } else if (isInComment) {
      isInComment = !line.text.includes('-->');
    } else if (line.text.trimStart().startsWith('<!--')) {
      isInComment = !line.text.includes('-->');
    } else {
      const { fence: opened, info = '' } = FENCE.exec(line.text)?.groups ?? {};
      // Backticks in the words after a fence make it code within a line.
      if (opened === undefined || (opened.startsWith('`') && info.includes('`'))) yield line;
      else fence = opened;
    }
  }
}

function closes(line: string, fence: string): boolean {
  const shown = line.trim();
  return shown.length >= fence.length && shown === fence.charAt(0).repeat(shown.length);
}

function* linesOf(text: string): Generator<Line> {
  let at = 0;
  for (const line of text.split(/(?<=\n|\r(?!\n))/u)) {
    yield { text: line.replace(/[\r\n]+$/u, ''), at };
    at += line.length;
  }
}
