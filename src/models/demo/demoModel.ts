import { loadOnce } from '../../base/loadOnce.ts';
import type { ChatModel, ModelSource } from '../chatModel.ts';

export const DEMO_MODEL_ID = 'demo:offline';

/** About thirty words a second: quick, but visibly streaming. */
const DEFAULT_PACE = 33;

export interface DemoModelOptions {
  /** Milliseconds between words; 0 does not wait at all. Read again for each answer. */
  readonly pace?: () => number;
}

/** A model that needs no account and no network, so that everything else can be tried. Labeled as a demo. */
export class DemoModelSource implements ModelSource {
  readonly id = 'demo';
  private readonly pace: () => number;
  // The texts are loaded with the first answer.
  private readonly answering = loadOnce(
    async () => new (await import('./demoAnswering.ts')).DemoAnswering(this.pace),
  );
  private readonly model: ChatModel = {
    id: DEMO_MODEL_ID,
    label: 'Offline demo',
    isDemo: true,
    detail: 'Made-up answers, no account, nothing leaves this machine',
    contextWindow: 1_000_000,
    capabilities: ['tools'],
    open: async () => (await this.answering()).open(),
  };

  constructor({ pace = () => DEFAULT_PACE }: DemoModelOptions = {}) {
    this.pace = pace;
  }

  list(): Promise<readonly ChatModel[]> {
    return Promise.resolve([this.model]);
  }

  find(id: string): Promise<ChatModel | undefined> {
    return Promise.resolve(id === DEMO_MODEL_ID ? this.model : undefined);
  }
}
