import { windowActions, codeOf } from './windowActions.ts';

// A page that the browser keeps nothing for: it is in a sandbox, as a frame is whose site may store nothing.
const actions = windowActions(() => undefined);
actions.open({ name: 'nothing' }).then(
  () => parent.postMessage({ sandboxed: 'opened' }, '*'),
  (error: unknown) => parent.postMessage({ sandboxed: codeOf(error), message: String(error) }, '*'),
);
