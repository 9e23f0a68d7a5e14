import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { logFailure } from './failures.ts';

/** Makes what is not needed to show the chat once that is shown. */
export function afterChat(
  { chatFirst, log }: { readonly chatFirst: () => Promise<void>; readonly log: vscode.LogOutputChannel },
  what: string,
  make: () => Promise<Disposable>,
): Disposable {
  const made = new DisposableStore();
  chatFirst()
    .then(make)
    .then((each) => made.add(each))
    .catch((error: unknown) => logFailure(log, what, error));
  return made;
}
