import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { TextEncodingError } from '../../host/textEncodingError.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { noticeDescriptor, type Notice } from '../../models/errors/notice.ts';
import { formatMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';

/** The text for users: our own errors explain what to do; details of others are in the log. */
export function messageOf(error: unknown): string {
  if (error instanceof OffshootError) return translated(error.descriptor);
  if (error instanceof WorkspaceFileError) return pathProblem(error);
  if (error instanceof TextEncodingError) return encodingProblem(error);
  const text = error instanceof Error ? error.message : String(error);
  return vscode.l10n.t('Something went wrong: {0}. The log has the details (Offshoot: Show Log).', text);
}

function pathProblem({ code, path, meant }: WorkspaceFileError): string {
  switch (code) {
    case 'invalid-path':
      return vscode.l10n.t('“{0}” is no path of a file in this workspace.', path);
    case 'outside-workspace':
      return vscode.l10n.t(
        '“{0}” leads out of the workspace, or did so a moment ago, and was skipped.',
        path,
      );
    case 'no-folder':
      return vscode.l10n.t('No folder is open. Open one and try again.');
    case 'which-folder':
      return vscode.l10n.t('“{0}” doesn’t start with the name of an open folder.', path);
    case 'ambiguous':
      return vscode.l10n.t('“{0}” can mean each of these: {1}. Name one of them.', path, meant.join(', '));
    case 'git-repository':
      return vscode.l10n.t(
        '“{0}” is part of a git repository or would make one. Offshoot doesn’t read or write there.',
        path,
      );
    case 'not-a-file':
      return vscode.l10n.t('“{0}” is a link, a folder or a device, not a file, and was skipped.', path);
    case 'is-folder':
      return vscode.l10n.t('“{0}” is a folder. Select a file.', path);
    case 'not-found':
      return vscode.l10n.t('“{0}” not found', path);
    case 'changed':
      return vscode.l10n.t('“{0}” changed after it was shown and was skipped. Try again.', path);
    case 'read-only':
      return vscode.l10n.t('“{0}” can’t be changed: its folder is read-only.', path);
    case 'no-permission':
      return vscode.l10n.t('“{0}” can’t be changed: it belongs to another user, or is locked.', path);
    case 'mounted':
      return vscode.l10n.t('“{0}” is mounted from elsewhere and can’t be removed or renamed.', path);
    case 'other-disk':
      return vscode.l10n.t('“{0}” is on another disk. Files aren’t moved between disks.', path);
    case 'other-machine':
      return vscode.l10n.t('“{0}” was changed on another machine and stays as it is here.', path);
    case 'unsaved':
      return vscode.l10n.t(
        '“{0}” has unsaved changes in its editor. Save or revert it, then try again.',
        path,
      );
    case 'unreachable':
      return vscode.l10n.t('“{0}” can’t be reached. Check its permissions.', path);
  }
}

function encodingProblem({ code, encoding, line, character }: TextEncodingError): string {
  return code === 'not-text'
    ? vscode.l10n.t('Line {0} has bytes that are no text in {1}. Nothing was changed.', line, encoding)
    : vscode.l10n.t(
        '“{0}” in line {1} can’t be saved in {2}. Nothing was changed.',
        character,
        line,
        encoding,
      );
}

/**
 * Logs what failed and where. The text of an error is left out: it may quote messages, or a key. System errors, which
 * have a code, mention only files and addresses.
 */
export function logFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  if (error instanceof OffshootError) {
    log.warn(
      `${what}: ${error.code}${error.cause === undefined ? '' : `, because of ${described(error.cause)}`}`,
    );
  } else log.error(`${what}: ${described(error)}`);
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const isSystem = 'code' in error && typeof error.code === 'string';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [isSystem ? `${error.name}: ${error.message}` : error.name, ...frames].join('\n');
}

/** In English if there is no translation. */
export function translated(descriptor: MessageDescriptor): string {
  return formatMessage(descriptor, (template, args) => vscode.l10n.t(template, ...args));
}

export function translatedNotice(notice: Notice): string {
  return translated(noticeDescriptor(notice));
}
