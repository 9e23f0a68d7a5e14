import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { PartView } from '../../protocol/views.ts';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { numberText, t } from '../state/texts.ts';
import { contextIcons, contextName } from './contextName.ts';
import { pagesText } from './attachmentTray.tsx';
import { rangeText } from './rangeText.ts';

type ShownPart = Extract<PartView, { type: 'image' | 'pdf' | 'file' | 'context' }>;

/** What went with a question. */
export function ShownAttachment({ part }: { part: ShownPart }): JSX.Element {
  switch (part.type) {
    case 'image':
      return <Picture part={part} />;
    case 'pdf':
      return <PdfName {...part} />;
    case 'file':
      return <FileName part={part} />;
    case 'context':
      return <Context part={part} />;
  }
}

function Context({ part }: { part: Extract<ShownPart, { type: 'context' }> }): JSX.Element {
  return (
    <span class="chip">
      <Icon name={contextIcons[part.of]} />
      <span>{contextName(part)}</span>
      {part.leftOut !== undefined && (
        <span class="tag" title={t('{0} more characters were left out.', numberText(part.leftOut))}>
          {t('shortened')}
        </span>
      )}
    </span>
  );
}

/** A PDF by its name, with how long it is. */
export function PdfName({ name, pages }: { name: string; pages?: number | undefined }): JSX.Element {
  return (
    <span class="chip pdf-chip">
      <Icon name="file-pdf" />
      <span>{withHiddenSpelledOut(name)}</span>
      {pages !== undefined && <span class="tag">{pagesText(pages)}</span>}
    </span>
  );
}

export function Picture({
  part: { hash, name: given },
}: {
  part: Pick<Extract<ShownPart, { type: 'image' }>, 'hash' | 'name'>;
}): JSX.Element {
  const name = withHiddenSpelledOut(given);
  const url = usePage().attachments.image(hash);
  if (typeof url === 'string') return <img class="picture" src={url} alt={name} title={name} />;
  return (
    <span class="chip">
      <Icon name="file-media" />
      <span>{url === null ? t('{0} (no longer kept)', name) : name}</span>
    </span>
  );
}

function FileName({ part }: { part: Extract<ShownPart, { type: 'file' }> }): JSX.Element {
  const { host } = usePage();
  const { path, startLine, leftOut } = part;
  const href = `${path.split('/').map(encodeURIComponent).join('/')}${startLine === undefined ? '' : `#L${startLine}`}`;
  return (
    <button
      type="button"
      class="chip file-chip"
      title={
        leftOut === undefined
          ? t('Open {0}', withHiddenSpelledOut(path))
          : t('{0} more characters were left out.', numberText(leftOut))
      }
      onClick={() => host.send({ type: 'openLink', href })}
    >
      <Icon name="file" />
      <span>{rangeText(part)}</span>
      {leftOut !== undefined && <span class="tag">{t('shortened')}</span>}
    </button>
  );
}
