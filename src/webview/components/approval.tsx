import type { JSX, RefObject } from 'preact';
import { useRef, useEffect, useState } from 'preact/hooks';
import type { ApprovalChoiceView, ApprovalView } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { focusControl } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Screen readers announce it as soon as it appears. */
export function Approval({
  approval,
  onAnswered,
}: {
  approval: ApprovalView;
  onAnswered: () => void;
}): JSX.Element {
  const { host } = usePage();
  const { id, question, reason, command, address, fact, sent, choices, covers, hasChanges } = approval;
  const card = useRef<HTMLDivElement>(null);
  const { isArmed, takes } = useArmed(card, id);
  const [hasMore, setMore] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const allowed = choices.filter((choice) => choice !== 'deny');
  const [allow, ...more] = allowed;
  const answer = (choice: ApprovalChoiceView, event: UIEvent): void => {
    if (!takes(event)) return;
    host.send({ type: 'answerApproval', id, choice });
    onAnswered();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, repeat } = event;
    if (isOfInputMethod(event) || repeat || altKey || shiftKey) return;
    const hasModifier = ctrlKey || metaKey;
    if (key === 'Enter' && hasModifier && allow !== undefined) answer(allow, event);
    else if (key === 'Escape' && !hasModifier && hasMore) {
      setMore(false);
      focusControl(toggle.current);
    } else if (key === 'Escape' && !hasModifier) answer('deny', event);
    else return;
    event.preventDefault();
  };
  const button = (choice: ApprovalChoiceView, keys?: string): JSX.Element => (
    <button
      key={choice}
      type="button"
      // What could do anything is not what one is to press first.
      class={`approval-button ${choice === allow && reason === undefined ? 'primary' : ''}`}
      title={keys}
      aria-disabled={!isArmed}
      onClick={(event) => answer(choice, event)}
    >
      {choiceText(choice, covers)}
    </button>
  );
  return (
    <div
      ref={card}
      class="approval"
      role="group"
      aria-label={withHiddenSpelledOut(question)}
      onKeyDown={onKeyDown}
    >
      <div role="alert">
        <p class="approval-question" dir="auto">
          <HiddenMarked text={question} />
        </p>
        {command !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="ltr">
            <HiddenMarked text={command} />
          </pre>
        )}
        {address !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="ltr">
            <HiddenMarked text={address} />
          </pre>
        )}
        {fact !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="auto">
            <HiddenMarked text={fact} />
          </pre>
        )}
        {sent !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="auto">
            <HiddenMarked text={sent} />
          </pre>
        )}
        {reason !== undefined && (
          <p class="approval-reason" dir="auto">
            {reason}
          </p>
        )}
      </div>
      <div class="approval-choices">
        <span class="approval-allow">
          {allow !== undefined && button(allow, 'Ctrl+Enter')}
          {more.length > 0 && (
            <button
              ref={toggle}
              type="button"
              class={`approval-more ${reason === undefined ? 'primary' : ''}`}
              aria-label={t('More Ways to Allow')}
              title={t('More Ways to Allow')}
              aria-expanded={hasMore}
              onClick={() => setMore(!hasMore)}
            >
              <Icon name="chevron-down" />
            </button>
          )}
        </span>
        {choices.includes('deny') && button('deny', 'Escape')}
        {hasChanges && (
          <button
            type="button"
            class="link-button approval-changes"
            aria-label={t('Show Changes')}
            title={t('Show Changes')}
            onClick={() => host.send({ type: 'showChanges', id })}
          >
            <Icon name="diff" />
            <span class="approval-changes-name">{t('Show Changes')}</span>
          </button>
        )}
      </div>
      {hasMore && more.length > 0 && (
        <div class="approval-list" role="group" aria-label={t('More Ways to Allow')}>
          {more.map((choice) => button(choice))}
        </div>
      )}
    </div>
  );
}

/** A button names everything that it allows. */
function choiceText(choice: ApprovalChoiceView, covers: ApprovalView['covers']): string {
  switch (choice) {
    case 'once':
      return covers === 'outside' ? t('Allow Outside Once') : t('Allow Once');
    case 'chat':
      return inChatText(covers);
    case 'workspace':
      return inWorkspaceText(covers);
    case 'deny':
      return t('Deny');
  }
}

function inChatText(covers: ApprovalView['covers']): string {
  switch (covers) {
    case 'edits':
      return t('Allow All Edits in This Chat');
    case 'reading':
      return t('Allow Reading It in This Chat');
    case 'command':
    case 'outside':
      return t('Allow This Command in This Chat');
    case 'host':
      return t('Allow This Host in This Chat');
    case 'tool':
      return t('Allow Tool in This Chat');
    case 'resources':
      return t('Allow Resources of This Server in This Chat');
    case 'requests':
      return t('Allow Its Requests in This Chat');
  }
}

function inWorkspaceText(covers: ApprovalView['covers']): string {
  switch (covers) {
    case 'edits':
    case 'reading':
      return t('Always Allow Edits in Workspace');
    case 'command':
    case 'outside':
      return t('Always Allow This Command in Workspace');
    case 'host':
      return t('Always Allow This Host in Workspace');
    case 'tool':
    case 'requests':
      return t('Always Allow Tool in Workspace');
    case 'resources':
      return t('Always Allow Resources of This Server in Workspace');
  }
}

/** How long a question must stand still before it accepts an answer, in milliseconds. */
const STILL_MS = 500;

/** How often its position is checked, in milliseconds. */
const LOOK_MS = 100;

/** A smaller move does not misdirect a click, in pixels. */
const MOVE = 3;

interface Armed {
  readonly isArmed: boolean;
  /** Whether a click or a key counts as an answer. */
  readonly takes: (event: UIEvent) => boolean;
}

/**
 * Protects a question from clicks and keys meant for something else: for a moment after it has appeared, scrolled
 * into view or moved, for instance because text was added above, it accepts none.
 * @param id of the question: another one must stand still again
 */
function useArmed(card: RefObject<HTMLElement | null>, id: string): Armed {
  const [isArmed, setArmed] = useState(false);
  const state = useRef({ top: NaN, left: NaN, since: 0, begun: 0 });

  const look = (): boolean => {
    const now = performance.now();
    const { top, left } = card.current?.getBoundingClientRect() ?? { top: NaN, left: NaN };
    const last = state.current;
    const isStill = Math.abs(top - last.top) < MOVE && Math.abs(left - last.left) < MOVE;
    if (!isStill) state.current = { ...last, top, left, since: now };
    const isArmedNow = isStill && now - last.since >= STILL_MS;
    setArmed(isArmedNow);
    return isArmedNow;
  };

  useEffect(() => {
    state.current = { top: NaN, left: NaN, since: 0, begun: performance.now() };
    look();
    const timer = setInterval(look, LOOK_MS);
    // Scrolling is detected at once, in any element.
    const scrolling = { capture: true, passive: true };
    document.addEventListener('scroll', look, scrolling);
    return () => {
      clearInterval(timer);
      document.removeEventListener('scroll', look, scrolling);
    };
  }, [id]);

  return {
    isArmed,
    // A key goes to the focused element, even if that has moved.
    takes: ({ detail }) =>
      detail === 0 ? performance.now() - state.current.begun >= STILL_MS : isArmed && look(),
  };
}
