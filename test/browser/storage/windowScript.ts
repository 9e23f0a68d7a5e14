import { codeOf, windowActions, type WindowActions, type WindowReport } from './windowActions.ts';

// Runs in a worker, as the extension does in a browser: does what it is asked to, and tells what happens.

/** What is sent to the worker. */
export interface Asked {
  readonly number: number;
  readonly action: keyof WindowActions;
  readonly given: readonly never[];
}

/** What it sends. */
export type Notice =
  | { readonly report: WindowReport }
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: { readonly code: string; readonly message: string } };

function tell(told: Notice): void {
  postMessage(told);
}

const actions = windowActions((report) => tell({ report }));

onmessage = ({ data }: MessageEvent<Asked>) => {
  const { number, action, given } = data;
  const run = actions[action] as (...given: readonly never[]) => Promise<unknown>;
  run(...given).then(
    (result) => tell({ number, result }),
    (error: unknown) => tell({ number, failure: { code: codeOf(error), message: String(error) } }),
  );
};
tell({ report: { kind: 'ready' } });
