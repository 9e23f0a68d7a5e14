import type { ComponentChildren, JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { Attachment, PdfAttachment } from '../../protocol/attachments.ts';
import type { ModelView } from '../../protocol/views.ts';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/iconButton.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { contextIcons, contextName } from './contextName.ts';
import { pagesText, rangeText } from './attachmentText.ts';
import { EditorChip } from './editorChip.tsx';

/** The attachments of the next question, each with a button to remove it. */
export function AttachmentTray(): JSX.Element | null {
  const { activeEditor, attachments, conversation } = usePage();
  const chips = attachments.chips.value;
  const { model, isReadOnly } = conversation.value ?? {};
  const editor = isReadOnly ? undefined : activeEditor.value;
  if (chips.length === 0 && !editor) return null;
  const hasImages = chips.some((each) => each.attachment.type === 'image');
  return (
    <>
      <ul class="tray" aria-label={t('Attachments')}>
        {editor && (
          <li class="editor-chip-item">
            <EditorChip editor={editor} />
          </li>
        )}
        {chips.map(({ attachment, thumbnail }, index) => (
          <li key={JSON.stringify(attachment)} class={`tray-item ${attachment.type}`}>
            {thumbnail === undefined ? <Icon name={iconOf(attachment)} /> : <img src={thumbnail} alt="" />}
            <span class="tray-name" title={titleOf(attachment)}>
              {nameOf(attachment)}
            </span>
            <IconButton
              icon="close"
              label={t('Remove {0}', nameOf(attachment))}
              onClick={() => attachments.remove(index)}
            />
          </li>
        ))}
      </ul>
      {hasImages && model?.takesImages === false && (
        <Warning>
          {t(
            '{0} doesn’t support images and gets only a note that there are some. Select another model to send them.',
            model.label,
          )}
        </Warning>
      )}
      {model && (
        <PdfWarning
          pdfs={chips.flatMap((each) => (each.attachment.type === 'pdf' ? [each.attachment] : []))}
          model={model}
        />
      )}
    </>
  );
}

function Warning({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <p class="composer-hint warning" role="status">
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  );
}

/** Explains before sending what a model gets of PDFs. */
function PdfWarning({
  pdfs,
  model: { label, pdfs: limits },
}: {
  pdfs: readonly PdfAttachment[];
  model: ModelView;
}): JSX.Element | null {
  if (pdfs.length === 0) return null;
  if (!limits) {
    return (
      <Warning>
        {t(
          '{0} doesn’t read PDFs and gets only a note that there are some. Select another model to send them.',
          label,
        )}
      </Warning>
    );
  }
  const { maxBytes, maxPages } = limits;
  const pages = pdfs.reduce((sum, { pages: count = 1 }) => sum + count, 0);
  if (maxPages !== undefined && pages > maxPages) {
    return (
      <Warning>
        {t('{0} reads at most {1} pages at once and gets only a note of the other PDFs.', label, maxPages)}
      </Warning>
    );
  }
  // Sent data is a third larger than the files.
  const bytes = pdfs.reduce((sum, { size = 0 }) => sum + (size * 4) / 3, 0);
  if (bytes <= maxBytes) return null;
  const megabytes = Math.floor((maxBytes * 3) / 4 / 1_000_000);
  return (
    <Warning>
      {t('{0} takes at most {1} MB of PDFs at once and gets only a note of the others.', label, megabytes)}
    </Warning>
  );
}

/** All details of it in one line. */
function titleOf(attachment: Attachment): string {
  if (attachment.type !== 'pdf' || attachment.pages === undefined) return nameOf(attachment);
  return `${nameOf(attachment)} (${pagesText(attachment.pages)})`;
}

export function nameOf(attachment: Attachment): string {
  switch (attachment.type) {
    case 'image':
    case 'pdf':
      return withHiddenSpelledOut(attachment.name);
    case 'file':
      return rangeText(attachment);
    case 'context':
      return contextName(attachment);
  }
}

export function iconOf(attachment: Attachment): string {
  if (attachment.type === 'context') return contextIcons[attachment.of];
  if (attachment.type === 'pdf') return 'file-pdf';
  return attachment.type === 'image' ? 'file-media' : 'file';
}
