import type { JSX, ComponentChildren } from 'preact';
import type { PartView, MessageView, ReadingKind, ReadingView } from '../../protocol/views.ts';
import { groupReadings, indexesOf } from '../state/groupReadings.ts';
import { Markdown } from './markdown.tsx';
import { ToolCall } from './toolCall.tsx';
import { useEffect, useState } from 'preact/hooks';
import { durationText, t, numberText } from '../state/texts.ts';
import { Disclosure, useOpened } from './disclosure.tsx';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';

export function AnswerParts({
  messageId,
  parts,
  isStreaming = false,
}: {
  messageId: string;
  parts: readonly PartView[];
  isStreaming?: boolean;
}): JSX.Element {
  const one = (index: number): JSX.Element | null => {
    const part = parts[index];
    return part === undefined ? null : answerPart(part, index, messageId, isStreaming);
  };
  return (
    <>
      {groupReadings(parts, isStreaming).map((item) =>
        typeof item === 'number' ? (
          one(item)
        ) : (
          <Readings key={`readings ${item.from}`} id={`${messageId} ${item.from}`} readings={item.readings}>
            {indexesOf(item).map(one)}
          </Readings>
        ),
      )}
    </>
  );
}

function answerPart(
  part: PartView,
  key: number,
  messageId: string,
  isStreaming: boolean,
): JSX.Element | null {
  const id = `${messageId} ${key}`;
  switch (part.type) {
    case 'text':
      return <Markdown key={key} id={id} text={part.text} />;
    case 'reasoning':
      return <Reasoning key={key} id={id} part={part} isStreaming={isStreaming} />;
    case 'tool':
      return <ToolCall key={key} messageId={messageId} call={part} />;
    case 'image':
    case 'pdf':
    case 'file':
    case 'context':
    case 'prompt':
    case 'instructions':
    case 'nothing':
      return null;
  }
}

type ReasoningView = Extract<PartView, { type: 'reasoning' }>;

/** Shorter reasoning does not get a line, in milliseconds. */
const WORTH_TELLING = 1_000;

/** The model's reasoning, folded, with its duration; only the duration where the provider hides the text. */
function Reasoning({
  id,
  part,
  isStreaming,
}: {
  readonly id: string;
  readonly part: ReasoningView;
  readonly isStreaming: boolean;
}): JSX.Element | null {
  const { text, startedAt, duration } = part;
  const isThinking = isStreaming && duration === undefined && startedAt !== undefined;
  const elapsed = useElapsed(isThinking ? startedAt : undefined);
  const title = isThinking
    ? t('Thinking… {0}', durationText(elapsed))
    : duration === undefined
      ? t('Reasoning')
      : t('Thought for {0}', durationText(duration));
  if (text !== '') {
    return (
      <Disclosure id={`${id} reasoning`} class="reasoning" summary={title}>
        <Markdown id={id} text={text} />
      </Disclosure>
    );
  }
  if (!isThinking && (duration ?? 0) < WORTH_TELLING) return null;
  return <p class="reasoning">{title}</p>;
}

/** Whole seconds since a moment, in milliseconds; 0 while there is none. */
function useElapsed(startedAt: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [startedAt]);
  // The clock of another machine may be ahead.
  return startedAt === undefined ? 0 : Math.max(1, Math.floor((now - startedAt) / 1_000)) * 1_000;
}

/** The host opens them after checking the address. */
export function Sources({ message: { sources } }: { message: MessageView }): JSX.Element | null {
  if (!sources) return null;
  return (
    <div class="sources">
      <span class="sources-label">{t('Sources')}</span>
      <ul aria-label={t('Sources')}>
        {sources.map(({ title, host, url }) => (
          <li key={url}>
            <span class="source" role="link" tabIndex={0} data-href={url} title={withHiddenSpelledOut(url)}>
              <Icon name="globe" />
              <span class="source-text">
                <span class="source-title" dir="auto">
                  <HiddenMarked text={title} />
                </span>{' '}
                <span class="source-host" dir="ltr">
                  <HiddenMarked text={host} />
                </span>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ModelName({ model }: { model: MessageView['model'] }): JSX.Element {
  const { temperature, effort } = model ?? {};
  return (
    <>
      <span class="author-name">{model?.label ?? t('Answer')}</span>
      {model?.isDemo && <span class="tag">{t('Demo')}</span>}
      {temperature !== undefined && (
        <span class="temperature" title={t('Temperature {0}', numberText(temperature))}>
          {t('temp. {0}', numberText(temperature))}
        </span>
      )}
      {effort !== undefined && (
        <span class="temperature" title={t('Reasoning effort: {0}', effort)}>
          {effort}
        </span>
      )}
    </>
  );
}

/** In display order. */
const KINDS: readonly ReadingKind[] = ['search', 'folder', 'file', 'problems', 'notes'];

function Readings({
  id,
  readings,
  children,
}: {
  /** Unique in the page. */
  readonly id: string;
  readonly readings: readonly ReadingView[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const [extent, setExtent] = useOpened(`${id} readings`, 0);
  const isOpen = extent > 0;
  return (
    <details
      class="tool readings"
      open={isOpen}
      onToggle={(event) => setExtent(event.currentTarget.open ? 1 : 0)}
    >
      <summary>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="tool-title">{readingsText(readings)}</span>
        <span class="tool-state">
          <Icon name="check" />
          <span class="visually-hidden">{t('done')}</span>
        </span>
      </summary>
      {isOpen && <div class="readings-calls">{children}</div>}
    </details>
  );
}

function readingsText(readings: readonly ReadingView[]): string {
  const text = KINDS.flatMap((kind) => kindText(kind, countOf(readings, kind))).join(t(', '));
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Counts each search, but each file or folder only once, however often it was read. */
function countOf(readings: readonly ReadingView[], kind: ReadingKind): number {
  const meant = readings.filter((reading) => reading.kind === kind);
  return kind === 'search' ? meant.length : new Set(meant.map(({ of }) => of)).size;
}

function kindText(kind: ReadingKind, count: number): string[] {
  if (count === 0) return [];
  const number = numberText(count);
  switch (kind) {
    case 'search':
      return [count === 1 ? t('searched once') : t('searched {0} times', number)];
    case 'folder':
      return [count === 1 ? t('listed 1 folder') : t('listed {0} folders', number)];
    case 'file':
      return [count === 1 ? t('read 1 file') : t('read {0} files', number)];
    case 'problems':
      return [t('checked for problems')];
    case 'notes':
      return [t('looked at notes')];
  }
}
