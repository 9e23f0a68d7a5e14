import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { Attachment, FileAttachment } from '../../protocol/attachments.ts';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/iconButton.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { contextIcons, contextName } from './contextName.ts';

/** What goes with the next question, each with a way to take it out again. */
export function AttachmentTray(): JSX.Element | null {
  const { attachments, conversation } = usePage();
  const chips = attachments.chips.value;
  if (chips.length === 0) return null;
  const { model } = conversation.value ?? {};
  const hasImages = chips.some((each) => each.attachment.type === 'image');
  return (
    <>
      <ul class="tray" aria-label={t('Attachments')}>
        {chips.map(({ attachment, thumbnail }, index) => (
          <li key={JSON.stringify(attachment)} class={`tray-item ${attachment.type}`}>
            {thumbnail === undefined ? <Icon name={iconOf(attachment)} /> : <img src={thumbnail} alt="" />}
            <span class="tray-name" title={nameOf(attachment)}>
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
        <p class="composer-hint warning" role="status">
          <Icon name="warning" />
          {t(
            '{0} doesn’t support images and gets only a note that there are some. Select another model to send them.',
            model.label,
          )}
        </p>
      )}
    </>
  );
}

export function nameOf(attachment: Attachment): string {
  switch (attachment.type) {
    case 'image':
      return withHiddenSpelledOut(attachment.name);
    case 'file':
      return rangeText(attachment);
    case 'context':
      return contextName(attachment);
  }
}

export function iconOf(attachment: Attachment): string {
  if (attachment.type === 'context') return contextIcons[attachment.of];
  return attachment.type === 'image' ? 'file-media' : 'file';
}

export function rangeText({ path: given, startLine, endLine }: Omit<FileAttachment, 'type'>): string {
  const path = withHiddenSpelledOut(given);
  if (startLine === undefined) return path;
  return endLine === undefined || endLine === startLine
    ? `${path}:${startLine}`
    : `${path}:${startLine}–${endLine}`;
}
