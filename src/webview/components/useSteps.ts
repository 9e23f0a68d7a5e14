import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Page, Step } from '../state/page.ts';
import { topMessage, type Scrolling } from './useScrolling.ts';

/** Where one was before the first preview. */
interface Place {
  readonly top: number;
  readonly wasAtEnd: boolean;
}

/** Moves through the conversation from outside: previews of messages, and from question to question. */
export function useSteps(page: Page, { scroller, stay, toEnd }: Scrolling): void {
  const steps = page.steps.value;
  const earlier = page.earlier.value;
  const before = useRef<Place | undefined>(undefined);
  /** What is wanted stands further up, and is on its way. */
  const awaited = useRef<Step | undefined>(undefined);

  const fetch = (wanted: Step): void => {
    if (page.missing.value === 0) return;
    awaited.current = wanted;
    page.loadEarlier(wanted.type === 'messagePreviewed' ? wanted.messageId : undefined);
  };

  const preview = (list: HTMLElement, messageId: string): void => {
    const message = list.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
    if (!message) {
      fetch({ type: 'messagePreviewed', messageId });
      return;
    }
    const { scrollTop, scrollHeight, clientHeight } = list;
    before.current ??= { top: scrollTop, wasAtEnd: scrollHeight - scrollTop - clientHeight < 2 };
    stay();
    for (const other of list.querySelectorAll('.previewed')) other.classList.remove('previewed');
    message.classList.add('previewed');
    message.scrollIntoView({ block: 'center' });
  };

  const endPreview = (list: HTMLElement): void => {
    for (const message of list.querySelectorAll('.previewed')) message.classList.remove('previewed');
    const place = before.current;
    before.current = undefined;
    if (place?.wasAtEnd) toEnd();
    else if (place) list.scrollTop = place.top;
  };

  const step = (list: HTMLElement, direction: 'previous' | 'next'): void => {
    const question = neighbour(list, direction);
    if (!question && direction === 'previous') fetch({ type: 'questionStepped', direction });
    else if (question) {
      stay();
      question.focus({ preventScroll: true });
      question.scrollIntoView({ block: 'start' });
    }
  };

  const carryOut = (list: HTMLElement, wanted: Step): void => {
    switch (wanted.type) {
      case 'messagePreviewed':
        preview(list, wanted.messageId);
        break;
      case 'previewEnded':
        endPreview(list);
        break;
      case 'questionStepped':
        step(list, wanted.direction);
        break;
    }
  };

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list || steps.length === 0) return;
    page.steps.value = [];
    awaited.current = undefined;
    for (const wanted of steps) carryOut(list, wanted);
  }, [steps]);

  useLayoutEffect(() => {
    const wanted = awaited.current;
    awaited.current = undefined;
    if (wanted && scroller.current) carryOut(scroller.current, wanted);
  }, [earlier]);
}

/** The question before or after the message that has the keyboard, or else the one at the top of what one sees. */
function neighbour(list: HTMLElement, direction: 'previous' | 'next'): HTMLElement | undefined {
  const questions = [...list.querySelectorAll<HTMLElement>('.message.user')];
  const focused = list.contains(document.activeElement)
    ? document.activeElement?.closest('.message')
    : undefined;
  const from = focused ?? topMessage(list);
  if (!from) return questions.at(-1);
  const follows = (question: Element): boolean =>
    (from.compareDocumentPosition(question) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return direction === 'next'
    ? questions.find((question) => question !== from && follows(question))
    : questions.findLast((question) => question !== from && !follows(question));
}
