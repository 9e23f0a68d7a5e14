import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { logFailure } from '../ui/failures.ts';
import type { LineMarks } from './lineMarks.ts';

/** Marks lines that runs wrote, and tells of them where the pointer is, once the chat is shown. */
export function registerLineMarks(
  deps: ConstructorParameters<typeof LineMarks>[0] & { readonly chatFirst: () => Promise<void> },
): vscode.Disposable {
  const made = new DisposableStore();
  const load = async (): Promise<void> => {
    await deps.chatFirst();
    const { LineMarks } = await import('./lineMarks.ts');
    made.add(new LineMarks(deps));
  };
  load().catch((error: unknown) => logFailure(deps.log, 'Lines of runs', error));
  return made;
}
