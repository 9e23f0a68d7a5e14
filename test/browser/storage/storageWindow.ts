import type { Asked, Notice } from './windowScript.ts';
import type { WindowActions, WindowReport } from './windowActions.ts';

/** Where a window's worker lives: with this page, or with a page of its own. */
interface Home {
  post(asked: Asked): void;
  end(): void;
}

const windows = new Set<StorageWindow>();

/** A worker with a store in it, as each window of VS Code in a browser has one. */
export class StorageWindow {
  readonly reports: WindowReport[] = [];
  private readonly waiting = new Map<
    number,
    { resolve(result: unknown): void; reject(error: Error): void }
  >();
  private readonly watchers = new Set<() => void>();
  private number = 0;
  private hasEnded = false;

  private constructor(private readonly home: Home) {
    windows.add(this);
  }

  static async start(): Promise<StorageWindow> {
    const worker = new Worker('/windowScript.js', { type: 'module' });
    const started: StorageWindow = new StorageWindow({
      post: (asked) => worker.postMessage(asked),
      end: () => worker.terminate(),
    });
    worker.onmessage = ({ data }: MessageEvent<Notice>) => started.take(data);
    worker.onerror = ({ message }) => started.take({ report: { kind: 'error', code: 'crashed', message } });
    await started.untilReported('ready');
    return started;
  }

  /** In a page of its own, which can be loaded again. */
  static async startInFrame(): Promise<{ window: StorageWindow; reload: () => void }> {
    const frame = document.createElement('iframe');
    frame.src = '/frame.html';
    const started: StorageWindow = new StorageWindow({
      post: (asked) => frame.contentWindow?.postMessage(asked),
      end: () => frame.remove(),
    });
    addEventListener('message', ({ source, data }: MessageEvent<Notice>) => {
      if (source === frame.contentWindow) started.take(data);
    });
    document.body.append(frame);
    await started.untilReported('ready');
    return { window: started, reload: () => frame.contentWindow?.location.reload() };
  }

  /** Ends all there are. */
  static endAll(): void {
    for (const each of windows) each.kill();
  }

  of<K extends WindowReport['kind']>(kind: K): Extract<WindowReport, { kind: K }>[] {
    return this.reports.filter(
      (report): report is Extract<WindowReport, { kind: K }> => report.kind === kind,
    );
  }

  /** Resolves in the moment it has said something `count` times. */
  async untilReported(kind: WindowReport['kind'], count = 1): Promise<void> {
    await this.until(() => this.of(kind).length >= count);
  }

  /** Resolves in the moment in which what it said makes something true. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.watchers.add(resolve);
      });
    }
  }

  /** @throws an error with the code that the window's error has */
  ask<N extends keyof WindowActions>(
    action: N,
    ...given: Parameters<WindowActions[N]>
  ): ReturnType<WindowActions[N]> {
    const number = ++this.number;
    const answer = new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
    });
    this.home.post({ number, action, given: given as readonly never[] });
    return answer as ReturnType<WindowActions[N]>;
  }

  /** Asks for something that ends with the window. */
  begin<N extends keyof WindowActions>(action: N, ...given: Parameters<WindowActions[N]>): void {
    void Promise.resolve(this.ask(action, ...given)).catch(() => undefined);
  }

  /** Ends it without letting it do anything any more. */
  kill(): void {
    windows.delete(this);
    this.hasEnded = true;
    this.home.end();
    this.wake();
  }

  private take(told: Notice): void {
    if ('report' in told) this.reports.push(told.report);
    else {
      const waiting = this.waiting.get(told.number);
      this.waiting.delete(told.number);
      if ('failure' in told) {
        const { code, message } = told.failure;
        waiting?.reject(Object.assign(new Error(message), { code }));
      } else waiting?.resolve(told.result);
    }
    this.wake();
  }

  private wake(): void {
    for (const watcher of this.watchers) watcher();
    this.watchers.clear();
  }
}
