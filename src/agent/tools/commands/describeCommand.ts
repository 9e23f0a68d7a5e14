import type { ToolOutput } from '../tool.ts';
import type { CommandDetails } from './commandDetails.ts';
import type { CommandRun } from './commandRun.ts';

/** How much of the beginning and of the end of a command's output the model gets, in UTF-16 units. */
const OUTPUT_LENGTH = 8_000;

/** How many files are named. */
const MAX_NAMED = 20;

/** Workspace files that a command changed, by name. */
export interface ChangedByCommand {
  /** Files that a rewind restores. */
  readonly recorded: readonly string[];
  /** Files that a rewind does not restore. */
  readonly lost: readonly string[];
}

/** The tool result for a command, whether it has ended or not. @param changed undefined: not known */
export function describeCommand(run: CommandRun, changed: ChangedByCommand | undefined): ToolOutput {
  const { ending, id } = run;
  const details: CommandDetails = { id, ...(ending ? { exitCode: ending.exitCode } : {}) };
  const output = run.output.cut(OUTPUT_LENGTH).trimEnd();
  return {
    text: [
      howItWent(run),
      output === '' ? '[It wrote nothing.]' : output,
      ...notes(changed, ending !== undefined),
    ].join('\n\n'),
    details,
  };
}

function howItWent({ ending, id, duration }: CommandRun): string {
  const seconds = `${(duration / 1_000).toFixed(1)} s`;
  if (!ending) {
    return `Still running after ${seconds}, as “${id}”. To wait for it, read on or stop it, call read_command.`;
  }
  if (ending.wasStopped) return `Stopped after ${seconds}.`;
  return ending.exitCode === null
    ? `Ended after ${seconds}; the exit code is not known.`
    : `Exit code ${ending.exitCode} after ${seconds}.`;
}

function notes(changed: ChangedByCommand | undefined, hasEnded: boolean): string[] {
  if (!changed) {
    return [
      '[The workspace has too many files to tell which the command changed. A rewind does not restore them.]',
    ];
  }
  const { recorded, lost } = changed;
  return [
    ...(recorded.length > 0 ? [`[Files it changed: ${list(recorded)}]`] : []),
    ...(lost.length > 0 ? [`[It also changed these, which a rewind does not restore: ${list(lost)}]`] : []),
    ...(hasEnded ? [] : ['[What it changes while nobody waits for it is not restored by a rewind.]']),
  ];
}

function list(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
