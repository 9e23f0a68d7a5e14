import assert from 'node:assert/strict';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import type { TerminalBounds, TerminalCommand } from '../../../src/extension/tools/terminalCommand.ts';
import type { HandedCommand, HandedState } from '../../../src/host/programs.ts';
import { delay } from '../../../src/host/timers.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const BEGIN = '\u001b]633;P;OffshootBegin=1\u0007';
const END = '\u001b]633;P;OffshootEnd=1\u0007';
const NOTE = '\n[Not all that it wrote could be read. The terminal shows it.]\n';

/** So long that nothing in a test depends on it. */
const NEVER = 1_000_000_000;

/** No time makes a command complete here; where the mark of its end is not to be expected, each look takes it for over. */
const bounds: TerminalBounds = { beginMs: NEVER, graceMs: 0, silenceMs: NEVER, lookMs: NEVER };

/**
 * An execution as VS Code's extension host has it: what is written goes to those that read, and to them from the next
 * microtask on. https://github.com/microsoft/vscode/blob/main/src/vs/workbench/api/common/extHostTerminalShellIntegration.ts
 */
class Execution {
  private readonly readers: ReadableStreamDefaultController<string>[] = [];
  private isOver = false;

  read(): ReadableStream<string> {
    return new ReadableStream<string>({
      start: (reader) => {
        queueMicrotask(() => {
          if (this.isOver) reader.close();
          else this.readers.push(reader);
        });
      },
    });
  }

  write(text: string): void {
    for (const reader of this.readers) reader.enqueue(text);
  }

  end(): void {
    this.isOver = true;
    for (const reader of this.readers.splice(0)) reader.close();
  }
}

/** A command in a terminal: its files, and what VS Code tells. */
class Scene {
  state: HandedState = { kind: 'waiting' };
  output = '';
  runs = 0;
  /** What happens when the terminal is told to run it. */
  onRun: Step | undefined;
  readonly command: TerminalCommand;
  private execution = new Execution();

  private constructor(make: (handed: HandedCommand) => TerminalCommand) {
    this.command = make({
      line: ':1',
      marks: { begin: BEGIN, end: END },
      state: () => Promise.resolve(this.state),
      takeBack: () => Promise.resolve(this.state.kind === 'waiting'),
      forget: () => Promise.resolve(),
    });
  }

  static async make(own: Partial<TerminalBounds> = {}, handed: Partial<HandedCommand> = {}): Promise<Scene> {
    const made = await withVsCodeStub(() => import('../../../src/extension/tools/terminalCommand.ts'));
    const scene: Scene = new Scene((usual) => {
      const onOutput = (text: string): void => {
        scene.output += text;
      };
      const run = (): void => {
        scene.runs += 1;
        scene.onRun?.(scene);
      };
      return new made.TerminalCommand({ ...usual, ...handed }, { onOutput, run }, { ...bounds, ...own });
    });
    return scene;
  }

  start(): void {
    this.execution.end();
    this.execution = new Execution();
    this.command.read(this.execution);
  }

  write(text: string): void {
    this.execution.write(text);
  }

  end(): void {
    this.execution.end();
  }

  /** Takes each step in a turn of its own. */
  async take(...steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      step(this);
      await delay(0);
    }
  }
}

type Step = (scene: Scene) => void;

const together =
  (...steps: readonly Step[]): Step =>
  (scene) => {
    for (const step of steps) step(scene);
  };
const start: Step = (scene) => scene.start();
const writes =
  (text: string): Step =>
  (scene) =>
    scene.write(text);
const files =
  (state: HandedState): Step =>
  (scene) => {
    scene.state = state;
  };
const runs = files({ kind: 'running' });
const ends = files({ kind: 'ended', exitCode: 0 });
const isGone = files({ kind: 'gone' });
const begins = together(runs, writes(BEGIN));
const endMark = writes(END);
/** VS Code tells of an end. */
const saidToEnd: Step = (scene) => scene.end();
const look: Step = (scene) => void scene.command.look();
const closed: Step = (scene) => void scene.command.closed();

interface Order {
  readonly what: string;
  readonly steps: readonly Step[];
  readonly output: string;
  /** It is 0 otherwise. */
  readonly exitCode?: null;
  readonly bounds?: Partial<TerminalBounds>;
}

/** A bound that is over. */
const over: Partial<TerminalBounds> = { silenceMs: 0 };

const whole: readonly Order[] = [
  {
    what: 'each told in a turn of its own',
    steps: [start, begins, writes('a'), ends, endMark, saidToEnd],
    output: 'a',
  },
  {
    what: 'all told in one turn',
    steps: [start, together(begins, writes('a'), ends, endMark, saidToEnd)],
    output: 'a',
  },
  {
    what: 'all told in one piece',
    steps: [start, together(runs, ends, writes(`${BEGIN}a${END}`), saidToEnd)],
    output: 'a',
  },
  {
    what: 'marks told in pieces',
    steps: [
      start,
      together(runs, writes(BEGIN.slice(0, 9))),
      together(writes(`${BEGIN.slice(9)}a${END.slice(0, 5)}`), ends),
      look,
      writes(END.slice(5)),
    ],
    output: 'a',
  },
  {
    what: 'its end known long before its output',
    steps: [start, runs, ends, look, look, writes(`${BEGIN}a`), look, writes('b'), look, endMark, saidToEnd],
    output: 'ab',
  },
  {
    what: 'its output known before its end',
    steps: [start, begins, writes('a'), endMark, saidToEnd, look, ends, look],
    output: 'a',
  },
  {
    what: 'nothing written',
    steps: [start, begins, together(ends, endMark, saidToEnd)],
    output: '',
  },
  {
    what: 'output of others before and after it',
    steps: [
      start,
      writes('x'),
      begins,
      together(writes('a'), ends, writes(`${END}y`)),
      writes('z'),
      saidToEnd,
    ],
    output: 'a',
  },
  {
    what: 'a beginning told before its own',
    steps: [start, writes('x'), saidToEnd, start, begins, writes('a'), ends, endMark],
    output: 'a',
  },
  {
    what: 'nothing of its end, where it was killed',
    steps: [start, begins, writes('a'), isGone, look],
    output: 'a',
    exitCode: null,
  },
  {
    what: 'nothing of its end, where its terminal is closed',
    steps: [start, begins, together(writes('a'), closed)],
    output: 'a',
    exitCode: null,
  },
];

const cut: readonly Order[] = [
  {
    what: 'an end told that is none',
    steps: [start, begins, writes('a'), saidToEnd, ends, look],
    output: 'a',
  },
  {
    what: 'an end told that is none, right before its own',
    steps: [start, begins, writes('a'), together(ends, saidToEnd), look],
    output: 'a',
  },
  {
    what: 'an end told that is none, and what follows told again',
    steps: [start, begins, writes('a'), saidToEnd, start, writes('c'), ends, endMark],
    output: 'ac',
  },
  {
    what: 'its output told in the turn of its beginning, as if it had not waited',
    steps: [together(start, begins, writes('a'), ends, endMark, saidToEnd), look],
    output: '',
    bounds: over,
  },
  {
    what: 'nothing more told',
    steps: [start, begins, writes('a'), ends, look],
    output: 'a',
    bounds: over,
  },
  {
    what: 'nothing told at all',
    steps: [runs, ends, look],
    output: '',
    bounds: over,
  },
  {
    what: 'its end not yet told when its terminal is closed',
    steps: [start, begins, writes('a'), together(ends, closed)],
    output: 'a',
  },
];

describe('a command in a terminal', () => {
  for (const { what, steps, output, exitCode = 0, bounds: own } of whole) {
    it(`is read to its end: ${what}`, async () => {
      const scene = await Scene.make(own);
      await scene.take(...steps);
      assert.equal(await scene.command.ended, exitCode);
      assert.equal(scene.output, output);
    });
  }

  for (const { what, steps, output, exitCode = 0, bounds: own } of cut) {
    it(`ends, and says that output is missing: ${what}`, async () => {
      const scene = await Scene.make(own);
      await scene.take(...steps);
      assert.equal(await scene.command.ended, exitCode);
      assert.equal(scene.output, output + NOTE);
    });
  }

  it('is waited for while the mark of its end is to be expected', async () => {
    const scene = await Scene.make();
    let hasEnded = false;
    void scene.command.ended.then(() => (hasEnded = true));
    await scene.take(start, begins, ends, look, look, writes('a'), look);
    assert.equal(hasEnded, false);
    await scene.take(endMark);
    assert.equal(hasEnded, true);
  });

  it('is run once it is read, and once only', async () => {
    const scene = await Scene.make();
    const begun = scene.command.begins();
    await scene.take(look);
    assert.equal(scene.runs, 0, 'before VS Code tells that it begins');
    scene.start();
    assert.equal(scene.runs, 0, 'in a turn of which nothing would be read');
    await delay(0);
    assert.equal(scene.runs, 1);
    await scene.take(start, begins, start);
    assert.equal(scene.runs, 1);
    assert.equal(await begun, true);
    scene.command.abandon();
  });

  it('loses nothing where all that follows is told while it is let run', async () => {
    const scene = await Scene.make();
    scene.onRun = together(begins, writes('a'), ends, endMark, saidToEnd);
    await scene.take(start);
    assert.equal(await scene.command.ended, 0);
    assert.equal(scene.output, 'a');
  });

  it('is not run any more where VS Code does not tell in time that it begins', async () => {
    const scene = await Scene.make({ beginMs: 0 });
    assert.equal(await scene.command.begins(), false);
    await scene.take(start, start);
    assert.equal(scene.runs, 0);
    assert.equal(scene.output, '');
  });

  it('ends with the reason where its files cannot be read', async () => {
    const state = (): Promise<HandedState> => Promise.reject(new Error('Not there.'));
    const scene = await Scene.make({}, { state });
    await scene.take(start, writes(`${BEGIN}a`), look, look);
    assert.equal(await scene.command.ended, null);
    assert.equal(scene.output, 'a\nNot there.\n');
  });
});
