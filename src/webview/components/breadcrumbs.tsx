import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** The ancestors of this branch; a click goes to one of them, or to the beginning of this branch. */
export function Breadcrumbs(): JSX.Element | null {
  const page = usePage();
  const conversation = page.conversation.value;
  const lineage = conversation?.lineage ?? [];
  const path = lineage.map(({ branch, label }) => label ?? branch).join('\n');
  const list = useRef<HTMLElement>(null);
  // The current branch is at the end, which stays visible when there are too many.
  useLayoutEffect(() => list.current?.scrollTo({ left: list.current.scrollWidth }), [path]);
  if (lineage.length < 2) return null;
  return (
    <nav class="crumbs" ref={list} aria-label={t('Where this branch comes from')}>
      <ol>
        {lineage.map(({ branch, label = branch, colour, forkMessageId }, index) => {
          const isCurrent = index === lineage.length - 1;
          return (
            <li key={branch}>
              {index > 0 && <Icon name="chevron-right" />}
              <button
                type="button"
                class={`crumb line-${colour}`}
                aria-current={isCurrent ? 'true' : undefined}
                title={isCurrent ? t('Show where {0} begins', label) : t('Switch to branch {0}', label)}
                onClick={() => {
                  if (!isCurrent) page.host.send({ type: 'switchBranch', branch });
                  else if (forkMessageId !== undefined) page.revealed.value = forkMessageId;
                }}
              >
                <HiddenMarked text={label} />
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
