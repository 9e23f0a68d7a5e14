import type { ComponentChildren, JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { Attachment, PdfAttachment } from '../../protocol/attachments.ts';
import type { ModelView, EditorView } from '../../protocol/chatFromHost.ts';
import { Icon, IconButton } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { contextIcons, contextName, pagesText, rangeText } from './attachmentText.ts';

export function AttachmentTray(): JSX.Element | null {
  const { activeEditor, attachments, conversation } = usePage();
  const chips = attachments.chips.value;
  const { model, isReadOnly } = conversation.value ?? {};
  const editor = isReadOnly ? undefined : activeEditor.value;
  if (chips.length === 0 && !editor) return null;
  const hasImages = chips.some((each) => each.attachment.type === 'image');
  return (
    <>
      <ul class="attachment-tray" aria-label={t('Attachments')}>
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

/** The content of the last text editor: attached to the next question, or suggested. A click toggles this. */
function EditorChip({ editor }: { editor: EditorView }): JSX.Element {
  const { host } = usePage();
  const { name: path, startLine, endLine, isOn } = editor;
  const name = rangeText({ path, startLine, endLine });
  return (
    <button
      type="button"
      class={`editor-chip ${isOn ? 'on' : ''}`}
      aria-pressed={isOn}
      title={`${name}\n${hint(editor)}`}
      onClick={() => host.send({ type: 'toggleEditor', editor: { name: path, ...range(editor) } })}
    >
      <Icon name={startLine === undefined ? 'file' : 'list-selection'} />
      {/* The end is most useful: the name of the file, and the lines. */}
      <span class="tray-name">
        <span class="visually-hidden">{t('Active editor:')} </span>
        {withHiddenSpelledOut(path.slice(path.lastIndexOf('/') + 1))}
      </span>
      {startLine !== undefined && <span class="editor-chip-lines">{name.slice(name.lastIndexOf(':'))}</span>}
      <Icon name={isOn ? 'close' : 'add'} />
    </button>
  );
}

export function range({ startLine, endLine }: Pick<EditorView, 'startLine' | 'endLine'>): {
  startLine?: number;
  endLine?: number;
} {
  return startLine === undefined ? {} : { startLine, ...(endLine === undefined ? {} : { endLine }) };
}

function hint({ isOn, isSecret, startLine }: EditorView): string {
  if (isSecret) return t('Named like files with secrets: sent only when you add it. Click to add it.');
  if (isOn) {
    return startLine === undefined
      ? t('The active editor’s file goes with your question. Click to leave it out.')
      : t('The selection in the active editor goes with your question. Click to leave it out.');
  }
  return startLine === undefined
    ? t('Suggested: the active editor’s file. Click to send it with your questions.')
    : t('Suggested: the selection in the active editor. Click to send it with your questions.');
}
