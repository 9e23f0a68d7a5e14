import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { focusComposer, focusControl, isTypingElsewhere } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import type { Page } from '../state/page.ts';
import { t } from '../state/texts.ts';
import type { SegmentId, TraySegment } from '../state/traySegments.ts';
import { Icon } from './icon.tsx';
import { noticesSegment } from './notices.tsx';
import { usePage } from './pageContext.ts';
import { planSegment } from './planActions.tsx';
import { queueSegment } from './queuedQuestions.tsx';
import { reviewSegment } from './reviewPanel.tsx';
import { sideQuestionsSegment } from './sideQuestions.tsx';
import { todosSegment } from './todos.tsx';

const OFFERS: readonly ((page: Page) => TraySegment | undefined)[] = [
  noticesSegment,
  planSegment,
  sideQuestionsSegment,
  queueSegment,
  todosSegment,
  reviewSegment,
];

const PANEL_ID = 'tray-panel';

/** Everything next to the conversation, in one line above the input that opens one panel at a time. */
export function Tray(): JSX.Element | null {
  const page = usePage();
  const { tray } = page;
  const segments = OFFERS.flatMap((offer) => offer(page) ?? []);
  const panel = useRef<HTMLDivElement>(null);
  const open = segments.find(({ id }) => id === tray.open.value);
  const conversation = page.conversation.value;
  const question = conversation?.messages.findLast(({ role }) => role === 'user')?.id;
  const isTyping = (): boolean =>
    isTypingElsewhere() && panel.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => tray.goOn(segments, isTyping()), [conversation?.chat.id, question]);
  useLayoutEffect(() => tray.offer(segments, conversation?.chat.id, isTyping()));
  if (segments.length === 0) return null;
  return (
    <div class="tray" onKeyDown={(event) => leave(page, event)}>
      <Line segments={segments} open={open?.id} />
      {/* After the line for the Tab key; it is drawn above it, so that the line stays where it is. */}
      {open && (
        <div id={PANEL_ID} ref={panel} key={open.id} class="tray-panel">
          {open.panel()}
        </div>
      )}
      <Counts segments={segments} />
    </div>
  );
}

/** Escape closes the panel, and then leads back to the input. */
function leave({ tray }: Page, event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.key !== 'Escape' || hasModifier || event.defaultPrevented || isOfInputMethod(event)) return;
  event.preventDefault();
  const opener = event.currentTarget.querySelector<HTMLElement>('[aria-expanded="true"][data-segment]');
  if (opener) focusControl(opener);
  else focusComposer();
  tray.close();
}

function Line({
  segments,
  open,
}: {
  segments: readonly TraySegment[];
  open: SegmentId | undefined;
}): JSX.Element {
  const { tray } = usePage();
  const [last, setLast] = useState<SegmentId>();
  const has = (id: SegmentId | undefined): boolean => segments.some((each) => each.id === id);
  /** The one that the Tab key reaches. */
  const current = has(last) ? last : has(open) ? open : segments[0]?.id;
  return (
    <div class="tray-line" role="toolbar" aria-label={t('Next to the conversation')} onKeyDown={moveAlong}>
      {segments.map((segment) => {
        const { id, icon, label, count = '', urgency } = segment;
        const name = nameOf(segment);
        return (
          <button
            key={id}
            type="button"
            class={`tray-segment ${urgency}`}
            data-segment={id}
            title={name}
            aria-label={name}
            aria-expanded={id === open}
            aria-controls={id === open ? PANEL_ID : undefined}
            tabIndex={id === current ? 0 : -1}
            // The icon and the count always have room.
            style={{ minWidth: `calc(${count.length}ch + 25px)` }}
            onFocus={() => setLast(id)}
            onClick={() => tray.toggle(id)}
          >
            <span class="tray-mark">
              <Icon name={icon} spin={icon === 'loading'} />
              {count}
            </span>{' '}
            <span class="tray-words">{label.slice(count.length).trim()}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The arrow keys move between segments. */
function moveAlong(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-segment]')];
  const at = all.findIndex((each) => each === document.activeElement);
  const next = segmentAt(all, at, event.key);
  if (!next) return;
  event.preventDefault();
  focusControl(next);
}

function segmentAt<T>(all: readonly T[], at: number, key: string): T | undefined {
  switch (key) {
    case 'ArrowLeft':
      return all.at((at - 1) % all.length);
    case 'ArrowRight':
      return all.at((at + 1) % all.length);
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      return undefined;
  }
}

/** Reads the counts out once they have changed; while an answer is written, they change all the time. */
function Counts({ segments }: { segments: readonly TraySegment[] }): JSX.Element {
  const isAnswering = usePage().runningId.value !== undefined;
  const counts = segments.map(nameOf).join(', ');
  const [heard, setHeard] = useState('');
  useEffect(() => {
    if (!isAnswering) setHeard(counts);
  }, [isAnswering, counts]);
  return (
    <div class="visually-hidden" aria-live="polite">
      {heard}
    </div>
  );
}

function nameOf({ label, detail, urgency }: TraySegment): string {
  const name = detail === undefined ? label : [label, detail].join(t(', '));
  return urgency === 'asking' ? t('{0}, needs your attention', name) : name;
}
