import * as vscode from 'vscode';
import { EXPLORE } from '../../engine/explorationTask.ts';
import type { LogEvent } from '../../engine/graph.ts';
import { takenBackBy } from '../../engine/graphSteps.ts';
import { cleanTitle } from '../commands/titles.ts';
import { stepText } from './undoRedo.ts';

export interface EventText {
  /** The id of a codicon. */
  readonly icon: string;
  readonly text: string;
}

/** @param excerpt the first words of the message it is about, if any */
export function eventText(event: LogEvent, excerpt: string, labelOf: (branch: string) => string): EventText {
  const { kind, details } = event;
  const branch = event.branch === undefined ? '' : labelOf(event.branch);
  const l10n = vscode.l10n;
  const name = text(details['name']);
  const from = text(details['from']);
  switch (kind) {
    case 'chat-created':
      return { icon: 'comment-discussion', text: l10n.t('Chat begun') };
    case 'chat-deleted':
      return { icon: 'trash', text: l10n.t('Chat deleted') };
    case 'chat-undeleted':
      return { icon: 'discard', text: l10n.t('Restored chat from trash') };
    case 'titled':
      return { icon: 'tag', text: l10n.t('Titled “{0}”', cleanTitle(text(details['title']))) };
    case 'messages-saved':
      return { icon: 'comment', text: excerpt === '' ? l10n.t('Message without text') : excerpt };
    case 'branch-created':
      if (details['why'] === EXPLORE) {
        return { icon: 'telescope', text: l10n.t('The agent had a task explored: {0}', branch) };
      }
      return { icon: 'git-branch', text: l10n.t('Branch “{0}” made', branch) };
    case 'branch-renamed':
      return { icon: 'edit', text: l10n.t('Branch “{0}” renamed to “{1}”', from, branch) };
    case 'branch-archived':
      return { icon: 'archive', text: l10n.t('Branch “{0}” archived', branch) };
    case 'branch-unarchived':
      return { icon: 'discard', text: l10n.t('Unarchived branch “{0}”', branch) };
    case 'branch-deleted':
      return { icon: 'trash', text: l10n.t('Branch “{0}” deleted', event.branch ?? '') };
    case 'branch-dropped':
      return { icon: 'circle-slash', text: l10n.t('Removed unused branch “{0}”', branch) };
    case 'branch-kept':
      return { icon: 'git-branch', text: l10n.t('Kept branch “{0}”', branch) };
    case 'branch-undeleted':
      return { icon: 'discard', text: l10n.t('Restored branch “{0}” from trash', branch) };
    case 'rewound':
      return {
        icon: 'history',
        text: excerpt === '' ? l10n.t('Rewound to the beginning') : l10n.t('Rewound to “{0}”', excerpt),
      };
    case 'restored':
      return {
        icon: 'bookmark',
        text: l10n.t('Checkpoint restored: {0}', text(details['checkpoint']) || excerpt),
      };
    case 'switched':
      return { icon: 'arrow-swap', text: l10n.t('Switched from “{0}” to “{1}”', labelOf(from), branch) };
    case 'btw':
      return { icon: 'comment-unresolved', text: l10n.t('Asked by the way, on “{0}”', branch) };
    case 'checkpoint-set':
      return { icon: 'bookmark', text: l10n.t('Checkpoint “{0}” set', name) };
    case 'checkpoint-moved':
      return { icon: 'bookmark', text: l10n.t('Checkpoint “{0}” moved', name) };
    case 'checkpoint-renamed':
      return { icon: 'edit', text: l10n.t('Checkpoint “{0}” renamed to “{1}”', from, name) };
    case 'checkpoint-deleted':
      return { icon: 'trash', text: l10n.t('Checkpoint “{0}” deleted', name) };
    case 'checkpoint-undeleted':
      return { icon: 'discard', text: l10n.t('Restored checkpoint “{0}” from trash', name) };
    case 'rewind-report':
      return {
        icon: 'telescope',
        text: l10n.t('The agent explored and reported: {0}', text(details['goal'])),
      };
    case 'summarised':
      return {
        icon: details['summary'] === 'compacted' ? 'fold' : 'note',
        text: summarizedText(details, branch),
      };
    case 'brought-back':
      return { icon: 'note', text: l10n.t('Merged a summary into “{0}”', branch) };
    case 'cherry-picked':
      return { icon: 'git-cherry-pick', text: l10n.t('A question and its answer copied to “{0}”', branch) };
    case 'files-restored':
      return { icon: 'files', text: filesText(details['files']) };
    case 'edits-reviewed':
      return { icon: 'check-all', text: reviewedText(details['files']) };
    case 'todos-edited':
      return { icon: 'checklist', text: l10n.t('Todo list changed') };
    case 'message-kept':
      return details['isKept'] === true
        ? { icon: 'pin', text: l10n.t('Kept always: {0}', excerpt) }
        : { icon: 'pinned', text: l10n.t('No longer kept always: {0}', excerpt) };
    case 'undone':
      return { icon: 'discard', text: l10n.t('Undone: {0}', takenBackText(event, labelOf)) };
    case 'redone':
      return { icon: 'redo', text: l10n.t('Redone: {0}', takenBackText(event, labelOf)) };
  }
}

function summarizedText(details: LogEvent['details'], branch: string): string {
  switch (details['summary']) {
    case 'compacted':
      return vscode.l10n.t('Compacted “{0}”', branch);
    case 'undone':
      return vscode.l10n.t('Compaction undone on “{0}”', branch);
    default:
      return vscode.l10n.t('Summarized on “{0}”', branch);
  }
}

function takenBackText(event: LogEvent, labelOf: (branch: string) => string): string {
  const about = takenBackBy(event);
  return about ? stepText({ kind: about.kind, branch: event.branch ?? '' }, labelOf) : '';
}

function filesText(files: unknown): string {
  const count = Array.isArray(files) ? files.length : 0;
  return count === 1 ? vscode.l10n.t('One file restored') : vscode.l10n.t('{0} files restored', count);
}

function reviewedText(files: unknown): string {
  const count = Array.isArray(files) ? files.length : 0;
  return count === 1
    ? vscode.l10n.t('Edits of one file reviewed')
    : vscode.l10n.t('Edits of {0} files reviewed', count);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
