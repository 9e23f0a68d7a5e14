import { parse, type Command, type CommandNode, type Redirection, type Statement, type Word } from 'unbash';
import {
  isKnownHarmless,
  isProtectedPlace,
  placesIn,
  runsOthers,
  valuesIn,
  type Words,
} from './knownPrograms.ts';

/** Why a command must be approved each time, regardless of earlier approvals. */
export type EachTimeReason =
  /** It is not a plain list of programs and arguments: substitutions, variables, blocks, assignments. */
  | 'not-plain'
  /** One of its programs runs its input, or is made to by its arguments. */
  | 'runs-others'
  /** What is downloaded goes to a program that runs its input. */
  | 'runs-download'
  | 'fetched-and-piped'
  /** It may write a protected file, or one outside of the folder. */
  | 'writes-protected'
  /** It names a file with a name as secrets have. */
  | 'reads-secret'
  /** The rules cover only POSIX shells. */
  | 'other-shell';

export interface PlainCommand {
  readonly kind: 'plain';
  readonly commands: readonly Words[];
  /** It writes a file by redirection: an allowed beginning does not cover that. */
  readonly writesFile: boolean;
  /** What it may write, as its words name it, relative to its folder. */
  readonly places: readonly string[];
  /** What it may read, in the same way, and other words. */
  readonly names: readonly string[];
}

export type Judgement = PlainCommand | { readonly kind: 'each-time'; readonly reason: EachTimeReason };

/** The shells with a grammar that the parser knows, as far as it is accepted here. */
const posixShells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);

const fetchers = new Set(['curl', 'wget', 'fetch', 'aria2c', 'http', 'https', 'nc', 'ncat', 'socat', 'ftp']);

/**
 * Whether an approval for more than once may cover a command. It may only for plain lists, conditions and pipelines
 * of programs with literal arguments: the rest is not guessed, because shells disagree on it.
 * @param shell the name of the program that reads the command
 * @param folder where it runs, as a path in the workspace folder
 */
export function judgeCommand(command: string, shell: string, folder = ''): Judgement {
  if (!posixShells.has(shell)) return { kind: 'each-time', reason: 'other-shell' };
  const script = parse(command);
  const found = new PlainCommands(command);
  const isPlain =
    (script.errors ?? []).length === 0 &&
    script.commands.length > 0 &&
    script.commands.every((statement) => found.addStatement(statement)) &&
    found.isAllThereIs();
  if (!isPlain) return { kind: 'each-time', reason: 'not-plain' };
  const { commands, reasons, sources, targets } = found;
  if (commands.some(runsOthers)) reasons.add('runs-others');
  const places = [...targets, ...commands.flatMap(placesIn)];
  if (places.some((place) => isProtectedPlace(place, folder))) reasons.add('writes-protected');
  const reason = RISKIEST_FIRST.find((each) => reasons.has(each));
  if (reason !== undefined) return { kind: 'each-time', reason };
  const named = [...sources, ...commands.flatMap(([, ...args]) => args.flatMap(valuesIn))];
  // As in `HEAD:name`.
  const names = named.flatMap((each) =>
    each.includes(':') ? [each, each.slice(each.lastIndexOf(':') + 1)] : [each],
  );
  return { kind: 'plain', commands, writesFile: targets.length > 0, places, names };
}

/**
 * Whether one of the beginnings that the user allowed covers each part of a plain command. Of a program that is not
 * known to be harmless with what may follow, only the whole command is covered.
 * @param isWalled it runs behind a wall, where no program does harm
 */
export function isCovered(
  { commands, writesFile }: PlainCommand,
  allowed: readonly string[],
  shell: string,
  isWalled = false,
): boolean {
  if (writesFile) return false;
  const beginnings = allowed.flatMap((entry) => {
    const judged = judgeCommand(entry, shell);
    return judged.kind === 'plain' && judged.commands.length === 1 ? judged.commands : [];
  });
  return commands.every((words) =>
    beginnings.some(
      (beginning) =>
        beginning.every((word, index) => words[index] === word) &&
        (isWalled || beginning.length === words.length || isKnownHarmless(words)),
    ),
  );
}

/** The user is told one reason. */
const RISKIEST_FIRST = ['runs-download', 'runs-others', 'writes-protected', 'fetched-and-piped'] as const;

class PlainCommands {
  readonly commands: Words[] = [];
  readonly reasons = new Set<EachTimeReason>();
  /** The files that its redirections read and write. */
  readonly sources: string[] = [];
  readonly targets: string[] = [];
  private readonly covered: { readonly pos: number; readonly end: number }[] = [];

  constructor(private readonly source: string) {}

  addStatement({ command, background }: Statement): boolean {
    if (background === true) return false;
    if (command.type !== 'AndOr') return this.addPipeline(command);
    return command.commands.every((each) => this.addPipeline(each));
  }

  /** Checks that only joining operators stand between the words: no comment, no bracket. */
  isAllThereIs(): boolean {
    let at = 0;
    for (const { pos, end } of this.covered.sort((a, b) => a.pos - b.pos)) {
      if (!isJoint(this.source.slice(at, pos))) return false;
      at = end;
    }
    return isJoint(this.source.slice(at));
  }

  private addPipeline(node: CommandNode | Extract<Statement['command'], { type: 'Pipeline' }>): boolean {
    if (node.type !== 'Pipeline') return this.addCommand(node) !== undefined;
    if (node.prefixes.length > 0) return false;
    const words = node.commands.map((each) => this.addCommand(each));
    const fetcher = words.slice(0, -1).findIndex((each) => each && fetchers.has(each[0]));
    if (fetcher !== -1) {
      const isRun = words.slice(fetcher + 1).some((each) => each && runsOthers(each));
      this.reasons.add(isRun ? 'runs-download' : 'fetched-and-piped');
    }
    return words.every((each) => each !== undefined);
  }

  private addCommand(node: CommandNode): Words | undefined {
    if (node.type !== 'Command' || node.prefix.length > 0 || node.name === undefined) return undefined;
    const words = this.readWords(node, node.name);
    if (!words) return undefined;
    this.commands.push(words);
    return words;
  }

  private readWords({ suffix }: Command, name: Word): Words | undefined {
    const program = literal(name);
    // The program's name must be literal, and found among the user's programs.
    if (program === undefined || program === '' || program !== name.text || program.includes('/')) {
      return undefined;
    }
    this.covered.push(name);
    const args: string[] = [];
    for (const each of suffix) {
      this.covered.push(each);
      if (each.type === 'Word') {
        const value = literal(each);
        if (value === undefined) return undefined;
        args.push(value);
      } else if (each.type === 'Assignment') {
        if (!isSafe(each.text, `${UNQUOTED}'"*?[~`)) return undefined;
        args.push(each.text);
      } else if (!this.takesRedirection(each)) return undefined;
    }
    return [program, ...args];
  }

  /** Accepts input from a file, and output to nowhere, to another stream, or to a writable file. */
  private takesRedirection(redirection: Redirection): boolean {
    if (redirection.type !== 'Redirect' || redirection.target === undefined) return false;
    if (redirection.descriptor?.type === 'FileDescriptorVariable') return false;
    const target = literal(redirection.target);
    if (target === undefined || target === '') return false;
    const { operator } = redirection;
    if (target === '/dev/null') return true;
    if (operator === '<') {
      this.sources.push(target);
      return true;
    }
    if (operator === '>&' && ['1', '2'].includes(target)) return true;
    this.targets.push(target);
    // A pattern may match what is protected.
    if (/[*?]/u.test(target)) this.reasons.add('writes-protected');
    return true;
  }
}

/** The text of a word that all shells read in the same way, with `*` and `?` unchanged; undefined for any other. */
function literal({ text, value, parts }: Word): string | undefined {
  if (parts === undefined) return isSafe(text, UNQUOTED) ? value : undefined;
  // A matching file's name could act as an option.
  if (parts[0]?.type === 'Glob') return undefined;
  const isLiteral = parts.every((part) => {
    switch (part.type) {
      case 'Literal':
        return isSafe(part.text, UNQUOTED);
      case 'Glob':
        return part.kind !== 'bracket';
      case 'SingleQuoted':
        return true;
      case 'DoubleQuoted':
        return part.parts.every((each) => each.type === 'Literal' && isSafe(each.text, '$`\\!'));
      default:
        return false;
    }
  });
  return isLiteral ? value : undefined;
}

/** Characters with a special meaning in some shell when not quoted. */
const UNQUOTED = '\\!#(){}$`<>&|;';

function isSafe(text: string, special: string): boolean {
  return !text.startsWith('=') && Array.from(special).every((char) => !text.includes(char));
}

function isJoint(text: string): boolean {
  return ['', '&&', '||', '|', ';'].includes(text.trim());
}
