import * as vscode from 'vscode';
import { noticeDescriptor, type Notice } from '../../agent/notice.ts';
import { formatMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';

/** A message in the user's language; in English if there is no translation. */
export function translated(descriptor: MessageDescriptor): string {
  return formatMessage(descriptor, (template, args) => vscode.l10n.t(template, ...args));
}

/** A notice in the user's language. */
export function translatedNotice(notice: Notice): string {
  return translated(noticeDescriptor(notice));
}
