import { loadOnce } from '../../base/loadOnce.ts';
import type { ChatModel, ModelSource } from '../chatModel.ts';
import type { DemoWindow } from './demoWindow.ts';

export const DEMO_MODEL_ID = 'demo:offline';

/** About thirty words a second: quick, but visibly streaming. */
const DEFAULT_PACE = 33;

export interface DemoModelOptions {
  /** Milliseconds between words; 0 does not wait at all. Read again for each answer. */
  readonly pace?: () => number;
  /** The window that it answers in. Default: one in English with a folder on this machine. */
  readonly window?: () => DemoWindow;
}

const USUAL_WINDOW: DemoWindow = {
  language: 'en',
  isTrusted: true,
  isBrowser: false,
  folders: ['folder'],
  shell: 'sh',
};

/** A model that needs no account and no network, so that everything else can be tried. Labeled as a demo. */
export class DemoModelSource implements ModelSource {
  readonly id = 'demo';
  private readonly pace: () => number;
  private readonly window: () => DemoWindow;
  // The texts are loaded with the first answer.
  private readonly answering = loadOnce(
    async () =>
      new (await import('./demoAnswering.ts')).DemoAnswering({ pace: this.pace, window: this.window }),
  );
  private readonly model: ChatModel = {
    id: DEMO_MODEL_ID,
    label: 'Offline demo',
    isDemo: true,
    detail: 'Canned responses, works offline',
    contextWindow: 1_000_000,
    capabilities: ['tools'],
    open: async () => (await this.answering()).open(),
  };

  constructor({ pace = () => DEFAULT_PACE, window = () => USUAL_WINDOW }: DemoModelOptions = {}) {
    this.pace = pace;
    this.window = window;
  }

  list(): Promise<readonly ChatModel[]> {
    return Promise.resolve([this.model]);
  }

  find(id: string): Promise<ChatModel | undefined> {
    return Promise.resolve(id === DEMO_MODEL_ID ? this.model : undefined);
  }
}
