import { branchSummaryMessage, branchSummaryOf } from '../../engine/branchSummary.ts';
import { pathSummaryMessage, pathSummaryOf } from '../../engine/pathSummary.ts';
import {
  isReminderPart,
  isTextPart,
  isToolPart,
  type FilePart,
  type UIMessage,
  type UIMessagePart,
} from '../../engine/uiMessage.ts';
import { hashOfFile, imageTypes, PDF_TYPE } from '../../models/messages/messageFiles.ts';
import { environmentOf, isPlainEnvironment } from '../../models/messages/environment.ts';
import { sentText } from './sentText.ts';

export interface HiddenContent {
  /** As the model gets it; empty if there is none. */
  readonly text: string;
  readonly files: readonly Pick<FilePart, 'mediaType' | 'filename'>[];
}

/**
 * Content of a message that the model gets and the chat does not show: reminders, files that are not kept pictures or
 * PDFs, steering messages, and the text of a report that differs from its note. Undefined when the user sees all of
 * it. Chats may come from files that others wrote, so this checks what is sent, not what is intended.
 */
export function hiddenFromUser(message: UIMessage): HiddenContent | undefined {
  const parts = hiddenParts(message);
  if (parts.length === 0) return undefined;
  const { text } = sentText({ ...message, parts: [...parts] });
  const files = message.role === 'assistant' ? steeringFiles(parts) : parts.filter(isSentFile);
  return text === '' && files.length === 0 ? undefined : { text, files };
}

function hiddenParts(message: UIMessage): readonly UIMessagePart[] {
  const note = noteText(message);
  if (note === undefined) return message.parts.filter((part) => !isShown(message.role, part));
  const [first, ...rest] = message.parts;
  const isMadeOfNote = message.role === 'user' && first && isTextPart(first) && first.text === note;
  return isMadeOfNote ? rest : message.parts;
}

/** The text of a report or a summary if built from its note; undefined for other messages. */
function noteText(message: UIMessage): string | undefined {
  const report = branchSummaryOf(message);
  const summary = pathSummaryOf(message);
  const made = report ? branchSummaryMessage('', report, []) : summary && pathSummaryMessage('', summary);
  const [part] = made?.parts ?? [];
  return part && isTextPart(part) ? part.text : undefined;
}

function isShown(role: UIMessage['role'], part: UIMessagePart): boolean {
  if (isTextPart(part)) return !isReminderPart(part);
  if (role === 'assistant') return isToolPart(part);
  const environment = environmentOf(part);
  if (environment) return isPlainEnvironment(environment);
  return isKeptFile(part);
}

function isKeptFile(part: UIMessagePart): boolean {
  const { mediaType } = part as Partial<FilePart>;
  const isShownAsSuch = [...imageTypes, PDF_TYPE].some((type) => type === mediaType);
  return isShownAsSuch && /^[0-9a-f]{64}$/.test(hashOfFile(part) ?? '');
}

/** Whether its bytes are sent to the model: embedded in it, or kept and filled in before sending. */
function isSentFile(part: UIMessagePart): part is FilePart {
  return (
    part.type === 'file' && 'url' in part && (part.url.startsWith('data:') || hashOfFile(part) !== undefined)
  );
}

function steeringFiles(parts: readonly UIMessagePart[]): FilePart[] {
  return parts.flatMap((part) =>
    part.type === 'steering-message' && 'parts' in part
      ? part.parts.filter((each): each is FilePart => isSentFile(each))
      : [],
  );
}
