import * as vscode from 'vscode';
import { noticeDescriptor, type Notice } from '../../agent/notice.ts';
import { formatMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';

/** A message in the language of the user; in English where there is no translation of it. */
export function translated(descriptor: MessageDescriptor): string {
  return formatMessage(descriptor, (template, args) => vscode.l10n.t(template, ...args));
}

/** A notice in the language of the user. */
export function translatedNotice(notice: Notice): string {
  return translated(noticeDescriptor(notice));
}
