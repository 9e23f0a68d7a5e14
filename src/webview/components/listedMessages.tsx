import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { CompactedFold } from './compactedFold.tsx';
import { ListedMessage } from './messageItem.tsx';
import { usePage } from './pageContext.ts';
import type { Drawn } from './useVirtualizedMessages.ts';

export interface ListedMessagesProps {
  readonly drawn: Drawn;
  readonly list: { readonly current: HTMLElement | null };
  /** The one that the Tab key reaches. */
  readonly current: string | undefined;
}

/** The drawn messages, with gaps in place of the others. */
export function ListedMessages({ drawn, list, current }: ListedMessagesProps): JSX.Element {
  const page = usePage();
  const ids = page.ids.value;
  const messages = page.messages.value;
  const runningId = page.runningId.value;
  const missing = page.missing.value;
  const total = missing + ids.length;

  // Screen readers also count messages that are not drawn. Set here, so that a new message does not redraw the
  // others.
  useLayoutEffect(() => {
    const places = new Map(ids.map((id, index) => [id, missing + index + 1]));
    for (const element of list.current?.querySelectorAll<HTMLElement>('.message') ?? []) {
      element.ariaSetSize = String(total);
      element.ariaPosInSet = String(places.get(element.dataset['messageId'] ?? '') ?? 0);
    }
  });

  const shown: JSX.Element[] = [];
  let left: string[] = [];
  const endGap = (): void => {
    const [first] = left;
    if (first !== undefined) shown.push(<Gap key={`gap ${first}`} height={drawn.heightOf(left)} />);
    left = [];
  };
  const { isClosed, after } = page.fold;
  if (isClosed.value) shown.push(<CompactedFold key="compacted" />);
  for (const id of ids) {
    const message = messages.get(id);
    const isDrawn = drawn.ids.has(id) || id === current || id === ids.at(-1);
    if (isDrawn && (message || id === runningId)) {
      endGap();
      // One list: a finished answer keeps its elements, and nothing of it is redrawn.
      shown.push(<ListedMessage key={id} message={message} isCurrent={id === current} />);
    } else left.push(id);
    if (id !== after.value) continue;
    endGap();
    shown.push(<CompactedFold key="compacted" />);
  }
  endGap();
  return <>{shown}</>;
}

/** Reserves the space of messages that are not drawn. */
function Gap({ height }: { height: number }): JSX.Element {
  return <li class="gap" aria-hidden="true" style={{ height: `${height}px` }} />;
}
