import type { Disposable } from '../../base/disposable.ts';
import { afterChat } from '../ui/afterChat.ts';
import type { LineMarks } from './lineMarks.ts';

/** Marks lines that runs wrote, and tells of them where the pointer is. */
export function registerLineMarks(
  deps: ConstructorParameters<typeof LineMarks>[0] & Parameters<typeof afterChat>[0],
): Disposable {
  return afterChat(deps, 'Lines of runs', async () => {
    const { LineMarks: loaded } = await import('./lineMarks.ts');
    return new loaded(deps);
  });
}
