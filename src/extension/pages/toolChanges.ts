import { changesIn } from '../../agent/tools/workspace/writeTools.ts';
import { toolNameOf } from '../../engine/uiMessage.ts';
import type { AnyToolPart } from '../../models/messages/toolParts.ts';
import type { ChangeView } from '../../protocol/views.ts';

/** How much of a call's changes is sent to the page, in UTF-16 units: all calls of a conversation are sent at once. */
const SHOWN_LENGTH = 4_000;

/** Hunk by hunk; undefined for a call that does not write a file. */
export function toolChanges(part: AnyToolPart): ChangeView[] | undefined {
  let left = SHOWN_LENGTH;
  // A foreign tool may have the same name.
  const changes = part.type === 'dynamic-tool' ? undefined : changesIn(toolNameOf(part), part.input);
  return changes?.map(({ before, after }) => {
    const most = Math.max(0, left);
    left -= before.length + after.length;
    const shown = { before: startOf(before, most), after: startOf(after, most) };
    const cut = before.length + after.length - shown.before.length - shown.after.length;
    return { ...shown, ...(cut > 0 ? { cut } : {}) };
  });
}

function startOf(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
