import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/envelope.ts';
import type { Attachments } from '../attachments/attachedFiles.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import { droppedUri } from '../attachments/droppedUri.ts';
import { runCommand } from '../manifest/runCommand.ts';

type Message<T extends NoticeOf<ChatProtocol>['type']> = Extract<NoticeOf<ChatProtocol>, { type: T }>;

export interface AttachFromPageDeps {
  readonly lastEditor: LastEditor;
  readonly attachments: Attachments;
  readonly guarded: GuardedFiles;
}

/** The current attachments of a question: what the user attached, and what the editor chip shows. */
export async function partsOf(
  { lastEditor, attachments, guarded }: AttachFromPageDeps,
  message: Message<'sendMessage' | 'askSideQuestion'>,
): Promise<UIMessagePart[]> {
  const given = message.attachments ?? [];
  const shown = message.editor && (await lastEditor.attachment(message.editor));
  // A link may lead to a file whose name marks it as a secret.
  const isSecret = shown?.type === 'file' && (await guarded.resolve(shown.path)).isSecret;
  const editor = isSecret ? undefined : shown;
  const isThere = given.some((each) => JSON.stringify(each) === JSON.stringify(editor));
  return attachments.parts(editor && !isThere ? [editor, ...given] : given);
}

/** Handles what the page reports about files or the editor chip; returns what to add to its question. */
export async function attachFromPage(
  { lastEditor, guarded }: Pick<AttachFromPageDeps, 'lastEditor' | 'guarded'>,
  message: Message<'dropFiles' | 'attachFile' | 'toggleEditor'>,
): Promise<Attachment | undefined> {
  switch (message.type) {
    case 'dropFiles': {
      const uris = message.uris.flatMap((each) => droppedUri(each) ?? []);
      if (uris.length === 0) {
        throw new OffshootError('no-file', vscode.l10n.t('This is no file that can be attached.'));
      }
      await runCommand('offshoot.addToChat', uris[0], uris);
      return undefined;
    }
    case 'attachFile': {
      const { uri } = await guarded.resolve(message.path);
      await runCommand('offshoot.addToChat', vscode.Uri.parse(uri, true));
      return undefined;
    }
    case 'toggleEditor':
      if (lastEditor.now?.isSecret) return lastEditor.attachment(message.editor, { isByHand: true });
      await lastEditor.toggle(message.editor);
      return undefined;
  }
}
