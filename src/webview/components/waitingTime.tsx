import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MessageView } from '../../protocol/views.ts';
import { clockText, t } from '../state/texts.ts';

/** The silence after which the time is shown, in milliseconds. */
const SHOWN_AFTER = 10_000;

/** How long the model has been silent: a local one may read for minutes before its first word. */
export function WaitingTime({ message }: { readonly message: MessageView }): JSX.Element | null {
  const { id, createdAt, parts } = message;
  const last = parts.at(-1);
  const isSilent = last === undefined || last.type === 'nothing';
  const [since, setSince] = useState(createdAt);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setSince(parts.length === 0 ? createdAt : Date.now());
    setNow(Date.now());
    if (!isSilent) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [id, parts.length, isSilent]);
  const waited = now - since;
  if (!isSilent || waited < SHOWN_AFTER) return null;
  return (
    // Not read aloud every second.
    <span class="status-text" aria-hidden="true">
      {t('Waiting for the model… {0}', clockText(waited))}
    </span>
  );
}
