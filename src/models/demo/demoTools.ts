import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { CallPiece, OfferedTool } from '../providers/streamedModel.ts';

/** One request of a tool demonstration: the text, then the calls. */
export interface DemoStep {
  readonly text: string;
  readonly calls: readonly CallPiece[];
}

/** What happened on the path since the question, as far as the demonstration uses it. */
interface Progress {
  readonly results: readonly { readonly name: string; readonly text: string }[];
  readonly report: string | undefined;
}

const REPORTED_LINES = 12;

const demonstrations = {
  explore: { needs: ['checkpoint', 'rewind', 'list_files', 'find_files'], next: explore },
  edit: { needs: ['write_file'], next: edit },
} as const;

export type DemoToolKeyword = keyof typeof demonstrations;
export const DEMO_TOOL_KEYWORDS = ['explore', 'edit'] as const satisfies readonly DemoToolKeyword[];

/** Called tools really run, and their results decide the next step. Undefined when required tools are not available. */
export function demoToolStep(
  keyword: DemoToolKeyword,
  prompt: LanguageModelV4Prompt,
  tools: readonly OfferedTool[],
): DemoStep | undefined {
  const { needs, next } = demonstrations[keyword];
  const names = new Set(tools.map(({ name }) => name));
  return needs.every((name) => names.has(name)) ? next(progressOf(prompt)) : undefined;
}

/** True for texts sent on the user's side by the program: reports and reminders. */
export function isProgramText(text: string): boolean {
  return (
    text.includes('<report goal=') || text.includes('<summary of=') || text.startsWith('<system-reminder>')
  );
}

function explore({ results, report }: Progress): DemoStep {
  if (report !== undefined) {
    return {
      text:
        `## What I found\n\n${report}\n\nI explored from a checkpoint and came back with this report. What I looked at ` +
        'on the way is not in view any more; the tree keeps it, under the name of its goal.',
      calls: [],
    };
  }
  const last = results.at(-1);
  if (last === undefined) {
    const goal = 'See what is in this workspace';
    return { text: 'I mark this point and look around.', calls: [call('checkpoint', { goal })] };
  }
  if (last.name === 'checkpoint' && last.text.startsWith('Checkpoint created.')) {
    const calls = [call('list_files', {}), call('find_files', { pattern: '**/*.{md,ts,js,py}' })];
    return { text: 'First the top of the workspace, then some files.', calls };
  }
  if (results.some(({ name }) => name === 'rewind') || results.length < 2) {
    return { text: `This did not work out: ${last.text}`, calls: [] };
  }
  const lines = last.text.split('\n').slice(0, REPORTED_LINES);
  const found = `The workspace holds, among others:\n\n${lines.map((line) => `- \`${line}\``).join('\n')}`;
  return { text: 'That is enough. I go back with a report.', calls: [call('rewind', { report: found })] };
}

function edit({ results }: Progress): DemoStep {
  const last = results.at(-1);
  if (last === undefined) {
    const content = '# Made by the Offshoot demo\n\nDelete me when you have seen enough.\n';
    return {
      text: 'I would like to make a file. You are asked first, and see what would be in it.',
      calls: [call('write_file', { path: 'offshoot-demo.md', content })],
    };
  }
  return { text: `The tool answered: ${last.text}`, calls: [] };
}

function progressOf(prompt: LanguageModelV4Prompt): Progress {
  const asked = prompt.findLastIndex(
    (message) =>
      message.role === 'user' &&
      !message.content.some((part) => part.type === 'text' && isProgramText(part.text)),
  );
  const results: Progress['results'][number][] = [];
  let report: string | undefined;
  for (const message of prompt.slice(asked + 1)) {
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const { output } = part;
        const text = output.type === 'text' || output.type === 'error-text' ? output.value : '';
        results.push({ name: part.toolName, text });
      }
    } else if (message.role === 'user') {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      report = /<report goal=[^\n]*>\n(.*?)\n<\/report>/su.exec(text)?.[1] ?? report;
    }
  }
  return { results, report };
}

function call(name: string, input: object): CallPiece {
  return { type: 'tool-call', callId: crypto.randomUUID(), name, input };
}
