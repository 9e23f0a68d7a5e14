import type { ComponentChildren, JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { AttachedView, PartView } from '../../protocol/views.ts';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { numberText, t } from '../state/texts.ts';
import { contextIcons, contextName, pagesText, rangeText } from './attachmentText.ts';

type ShownPart = AttachedView;

export function isAttached(part: PartView): part is ShownPart {
  return ['image', 'pdf', 'file', 'context', 'prompt', 'instructions'].includes(part.type);
}

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
    case 'prompt':
      return <Prompt part={part} />;
    case 'instructions':
      return <Instructions part={part} />;
  }
}

function Prompt({ part }: { part: Extract<ShownPart, { type: 'prompt' }> }): JSX.Element {
  const { name, path, settings = [], missing = [], leftOut } = part;
  return (
    <>
      <FileChip icon="symbol-snippet" path={path} leftOut={leftOut}>
        <span>{withHiddenSpelledOut(name)}</span>
        {settings.map((each) => (
          <span key={each} class="tag">
            {withHiddenSpelledOut(each)}
          </span>
        ))}
      </FileChip>
      {missing.length > 0 && (
        <p class="composer-hint warning">
          <Icon name="warning" />
          {t('Not available here: {0}', missing.map(withHiddenSpelledOut).join(', '))}
        </p>
      )}
    </>
  );
}

function Instructions({ part }: { part: Extract<ShownPart, { type: 'instructions' }> }): JSX.Element {
  return (
    <FileChip icon="book" path={part.path} leftOut={part.leftOut}>
      <span>{withHiddenSpelledOut(part.path.slice(part.path.lastIndexOf('/') + 1))}</span>
    </FileChip>
  );
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

export function PdfName({ name, pages }: { name: string; pages?: number | undefined }): JSX.Element {
  return (
    <span class="chip pdf-chip">
      <Icon name="file-pdf" />
      <span>{withHiddenSpelledOut(name)}</span>
      {pages !== undefined && <span class="tag">{pagesText(pages)}</span>}
    </span>
  );
}

/** Of a picture in the conversation, in pixels. */
const MAX_HEIGHT = 240;

export function Picture({
  part: { hash, name: given },
}: {
  part: Pick<Extract<ShownPart, { type: 'image' }>, 'hash' | 'name'>;
}): JSX.Element {
  const name = withHiddenSpelledOut(given);
  const picture = usePage().attachments.image(hash);
  if (picture) {
    const { address, width, height } = picture;
    const scale = Math.min(1, MAX_HEIGHT / height);
    const size = height === 0 ? {} : { width: Math.round(width * scale), height: Math.round(height * scale) };
    return <img class="picture" src={address} alt={name} title={name} {...size} />;
  }
  return (
    <span class="chip">
      <Icon name="file-media" />
      <span>{picture === null ? t('{0} (no longer kept)', name) : name}</span>
    </span>
  );
}

function FileName({ part }: { part: Extract<ShownPart, { type: 'file' }> }): JSX.Element {
  return (
    <FileChip icon="file" path={part.path} line={part.startLine} leftOut={part.leftOut}>
      <span>{rangeText(part)}</span>
    </FileChip>
  );
}

interface FileChipProps {
  readonly icon: string;
  readonly path: string;
  readonly line?: number | undefined;
  readonly leftOut: number | undefined;
  readonly children: ComponentChildren;
}

function FileChip({ icon, path, line, leftOut, children }: FileChipProps): JSX.Element {
  const { host } = usePage();
  const href = `${path.split('/').map(encodeURIComponent).join('/')}${line === undefined ? '' : `#L${line}`}`;
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
      <Icon name={icon} />
      {children}
      {leftOut !== undefined && <span class="tag">{t('shortened')}</span>}
    </button>
  );
}
