import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import ansiRegex from 'ansi-regex';
import { until } from '../fixtures/until.ts';

const COLUMNS = 120;
const ROWS = 40;
const LIMIT_MS = 60_000;

/** What keys send. */
const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  right: '\u001b[C',
  backspace: '\u007f',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-u': '\u0015',
} as const;
export type Key = keyof typeof keys;

/** What a program asks its terminal, and what one with no special abilities answers. */
const answers: readonly (readonly [question: string, answer: string])[] = [
  ['\u001b[c', '\u001b[?62;22c'],
  ['\u001b[0c', '\u001b[?62;22c'],
  ['\u001b[6n', '\u001b[1;1R'],
  ['\u001b[5n', '\u001b[0n'],
  ['\u001b[>0q', '\u001bP>|scripted\u001b\\'],
];

/**
 * A program in a pseudo-terminal, which util-linux's `script` makes. What it draws is one text without its control codes:
 * a program draws again and again, so look for what has come since the last input.
 */
export class Terminal {
  readonly process: ChildProcessWithoutNullStreams;
  private drawn = '';
  /** Where what came since the last input begins. */
  private from = 0;
  private pending = '';

  constructor(
    private readonly command: readonly string[],
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    const line = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    const inside = `stty cols ${COLUMNS} rows ${ROWS}; exec ${line}`;
    this.process = spawn('script', ['-qefc', inside, '/dev/null'], { cwd, env, detached: true });
    this.process.stdout.setEncoding('utf8').on('data', (data: string) => {
      this.take(data);
    });
    // It may have ended before the last key.
    this.process.stdin.on('error', () => undefined);
  }

  /** Everything it drew, without control codes. */
  get text(): string {
    return plain(this.drawn);
  }

  /** What it drew since the last input. */
  get since(): string {
    return plain(this.drawn.slice(this.from));
  }

  /** Types a text as a person would: a program may take many characters at once for pasted ones. */
  type(text: string): void {
    this.send(text);
  }

  press(...pressed: readonly Key[]): void {
    for (const key of pressed) this.send(keys[key]);
  }

  /** Types a text, waits until it is drawn, and presses Enter. */
  async say(text: string): Promise<void> {
    this.type(text);
    await this.sees(text);
    this.press('enter');
  }

  /** Whether it has drawn this since the last input; blanks don't count, as lines are broken anywhere. */
  has(what: string | RegExp): boolean {
    return typeof what === 'string' ? unspaced(this.since).includes(unspaced(what)) : what.test(this.since);
  }

  /** Waits until it has drawn this since the last input. */
  async sees(what: string | RegExp, limitMs = LIMIT_MS): Promise<void> {
    try {
      await until(() => this.has(what), `${String(what)} in a terminal`, limitMs);
    } catch (cause) {
      const last = this.text.slice(-2_000);
      throw new Error(`${this.command.join(' ')} did not show ${String(what)}; it shows:\n${last}`, {
        cause,
      });
    }
  }

  /** Waits for its end. @returns its exit status */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null) await once(this.process, 'close');
    return this.process.exitCode;
  }

  private send(text: string): void {
    this.from = this.drawn.length;
    this.process.stdin.write(text);
  }

  private take(data: string): void {
    this.drawn += data;
    this.pending += data;
    let answer = '';
    for (const [question, said] of answers) {
      if (this.pending.includes(question)) answer += said;
    }
    // A question may come in two pieces.
    this.pending = answer === '' ? this.pending.slice(-8) : '';
    if (answer !== '') this.process.stdin.write(answer);
  }
}

/** Without the codes for colors, cursor and titles. */
function plain(drawn: string): string {
  return drawn.replaceAll(ansiRegex(), (code) => (code.endsWith('m') ? '' : ' ')).replaceAll('\r', '\n');
}

function unspaced(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}
