import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { CallPiece, OfferedTool } from '../providers/streamedModel.ts';
import type { CommandOutcome, DemoBook, MissingTools } from './demoBook.ts';
import { asksFor } from './demoBooks.ts';
import { questionIn } from './demoQuestions.ts';
import type { DemoWindow } from './demoWindow.ts';

/** One request of a tool demonstration: the text, then the calls. */
export interface DemoStep {
  readonly text: string;
  readonly calls: readonly CallPiece[];
}

interface ToolResult {
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

/** What happened on the path since the question, as far as the demonstration uses it. */
interface Progress {
  readonly results: readonly ToolResult[];
  readonly report: string | undefined;
}

interface Demonstration extends Progress {
  readonly book: DemoBook;
  readonly window: DemoWindow;
  readonly has: (...names: readonly string[]) => boolean;
}

/** How many names a report of what is in the workspace has. */
const REPORTED_NAMES = 12;

const SAMPLE_FILE = 'offshoot-demo.md';

/**
 * The next step of the demonstration that the question asks for. Called tools really run, and their results decide how
 * it goes on. Undefined for other questions.
 */
export function demoToolStep(
  question: string,
  { book, window }: Pick<Demonstration, 'book' | 'window'>,
  prompt: LanguageModelV4Prompt,
  tools: readonly OfferedTool[],
): DemoStep | undefined {
  const next =
    asksFor(question, ({ task }) => task.question) || asksFor(question, ({ task }) => task.asks)
      ? taskStep
      : asksFor(question, ({ explore }) => explore.asks)
        ? exploreStep
        : undefined;
  if (next === undefined) return undefined;
  const names = new Set(tools.map(({ name }) => name));
  return next({ book, window, has: (...all) => all.every((name) => names.has(name)), ...progressOf(prompt) });
}

function missingTools({ isTrusted, folders }: DemoWindow): MissingTools {
  if (!isTrusted) return 'untrusted';
  return folders.length === 0 ? 'no-folder' : 'off';
}

function exploreStep({ book, window, has, results, report }: Demonstration): DemoStep {
  const texts = book.explore;
  if (report !== undefined) return ending(texts.done(report));
  const last = results.at(-1);
  if (last === undefined) {
    return has('checkpoint', 'rewind', 'list_files', 'find_files')
      ? step(texts.begin, call('checkpoint', { goal: texts.goal }))
      : ending(book.task.missing[missingTools(window)]);
  }
  if (last.name === 'checkpoint' && !last.failed) {
    return step(texts.look, call('list_files', {}), call('find_files', { pattern: '**/*.{md,ts,js,py}' }));
  }
  if (last.name !== 'find_files') return ending(texts.brokeOff);
  return step(texts.back, call('rewind', { report: texts.report(last.failed ? [] : namesIn(last.text)) }));
}

/** Lines that are names; others are sentences, for the model. */
function namesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/\s\S*\.$/u.test(line))
    .slice(0, REPORTED_NAMES);
}

/** Makes a file, looks into it from a checkpoint, edits it as the report says, and runs a command. */
function taskStep(demonstration: Demonstration): DemoStep {
  const { book, window, has, results, report } = demonstration;
  const texts = book.task;
  if (!has('write_file', 'edit_file', 'read_file')) return ending(texts.missing[missingTools(window)]);
  const [folder, another] = window.folders;
  const path = folder === undefined || another === undefined ? SAMPLE_FILE : `${folder}/${SAMPLE_FILE}`;
  const explores = has('checkpoint', 'rewind');
  const beginning = report === undefined ? beginningStep(demonstration, path, explores) : undefined;
  if (beginning) return beginning;

  const edited = results.find(({ name }) => name === 'edit_file');
  if (!edited) return step(texts.edit, call('edit_file', { path, edits: texts.edits }));
  if (edited.failed) return ending(texts.notEdited);
  const ran = results.find(({ name }) => name === 'run_command');
  if (!ran && has('run_command')) {
    const show = /(?:^|[\\/])cmd(?:\.exe)?$/iu.test(window.shell) ? 'type' : 'cat';
    const where = path === SAMPLE_FILE ? {} : { folder };
    return step(texts.run, call('run_command', { command: `${show} ${SAMPLE_FILE}`, ...where }));
  }
  const command: CommandOutcome = ran
    ? ran.failed
      ? 'failed'
      : 'ran'
    : window.isBrowser
      ? 'browser'
      : 'off';
  return ending(texts.done(path, { explored: report !== undefined, command }));
}

/** The steps until the report, or until the file is there where nothing is explored; undefined after that. */
function beginningStep(
  { book: { task }, results }: Demonstration,
  path: string,
  explores: boolean,
): DemoStep | undefined {
  const read = call('read_file', { path });
  const wrote = results.find(({ name }) => name === 'write_file');
  if (!wrote) return step(task.begin, call('write_file', { path, content: task.file }));
  const marked = results.findIndex(({ name }) => name === 'checkpoint');
  if (wrote.failed && marked < 0) {
    // It was denied, or the file is there already, from a demonstration that ended early.
    const present = results.find(({ name }) => name === 'read_file');
    if (!present) return step(task.look, read);
    if (present.failed || !present.text.includes(task.line)) return ending(task.notWritten);
  }
  if (!explores) return undefined;
  if (marked < 0) return step(task.explore, call('checkpoint', { goal: task.goal }));
  const explored = results.slice(marked);
  if (explored[0]?.failed === true) return ending(task.brokeOff);
  const looked = explored.find(({ name }) => name === 'read_file');
  if (!looked) return step(task.look, read);
  if (explored.some(({ name }) => name === 'rewind')) return ending(task.brokeOff);
  return step(task.back, call('rewind', { report: task.report }));
}

function progressOf(prompt: LanguageModelV4Prompt): Progress {
  const asked = prompt.findLastIndex((message) => questionIn(message) !== undefined);
  const results: ToolResult[] = [];
  let report: string | undefined;
  for (const message of prompt.slice(asked + 1)) {
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const { output } = part;
        const text = output.type === 'text' || output.type === 'error-text' ? output.value : '';
        results.push({
          name: part.toolName,
          text,
          failed: output.type !== 'text' && output.type !== 'content',
        });
      }
    } else if (message.role === 'user') {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      report = /<report goal=[^\n]*>\n(.*?)\n<\/report>/su.exec(text)?.[1] ?? report;
    }
  }
  return { results, report };
}

function step(text: string, ...calls: readonly CallPiece[]): DemoStep {
  return { text, calls };
}

function ending(text: string): DemoStep {
  return { text, calls: [] };
}

function call(name: string, input: object): CallPiece {
  return { type: 'tool-call', callId: crypto.randomUUID(), name, input };
}
