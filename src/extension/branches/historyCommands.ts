import * as vscode from 'vscode';
import type { LogEvent } from '../../engine/graph.ts';
import { takenBackBy } from '../../engine/graphSteps.ts';
import { isNoticeMessage, isUserTurn } from '../../engine/pathSummary.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { switchToBranch, type MoveContext } from './switchToBranch.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { timeAgo } from '../ui/formats.ts';
import { eventText } from './eventText.ts';
import { LookBack } from './lookBack.ts';
import { notify } from '../ui/notifications.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** How many entries of the log are read at a time. */
const PAGE = 50;

/** How much of a message is quoted, in characters. */
const QUOTED = 70;

type TimelineItem = PickRow & { readonly event?: LogEvent; readonly isMore?: boolean };

export function historyCommands(
  deps: MoveContext,
  chat: ShownChat,
): CommandHandlers<'endLookBack' | 'showTimeline'> {
  return {
    endLookBack: () => chat.endLookBack(),
    showTimeline: async () => {
      const event = await pickEvent(deps, chat);
      if (event) await goTo(deps, chat, event);
    },
  };
}

/** While the list is open, the chat and the editors show the moment of the focused row, if it is on this branch. */
async function pickEvent(
  deps: MoveContext,
  chat: Pick<ShownChat, 'preview' | 'endPreview'>,
): Promise<LogEvent | undefined> {
  const chatId = await deps.current.chatId();
  const picker = new PickList<TimelineItem>({
    title: vscode.l10n.t('Timeline'),
    placeholder: vscode.l10n.t('Select a point'),
    matchOnDescription: true,
    // Loading a page must not scroll back to the first.
    keepScrollPosition: true,
  });
  let items: TimelineItem[] = [];
  let oldest: number | undefined;
  // The list reports its active row as soon as it opens; the user has not moved then.
  let shown: TimelineItem | undefined;
  // The effects of an undo are listed with the undo, which is newer and so is read before them.
  const caused = new Set<number>();
  const lookBack = new LookBack(deps, () => Promise.resolve(chatId));
  const show = async (messageId: string): Promise<void> => {
    const moment = await lookBack.showMessage(messageId);
    if (moment) chat.preview(moment.messageId);
  };
  const load = async (): Promise<void> => {
    picker.isBusy = true;
    const events = await deps.store.listEvents(chatId, {
      limit: PAGE,
      ...(oldest === undefined ? {} : { before: oldest }),
    });
    oldest = events[0]?.sequence ?? oldest;
    for (const event of events) for (const each of takenBackBy(event)?.by ?? []) caused.add(each);
    const listed = events.toReversed().filter((event) => !caused.has(event.sequence) && isOfInterest(event));
    const read = await Promise.all(listed.map((event) => itemOf(deps, event)));
    items = [...items, ...read];
    const first = read[0];
    const more = {
      icon: 'chevron-down',
      label: vscode.l10n.t('Show earlier…'),
      alwaysShow: true,
      isMore: true,
    };
    picker.rows = events.length < PAGE ? items : [...items, more];
    if (first) picker.activeRows = [first];
    shown ??= first;
    picker.isBusy = false;
  };
  try {
    return await new Promise<LogEvent | undefined>((resolve, reject) => {
      picker.onDidAccept(() => {
        const [chosen] = picker.selectedRows;
        if (chosen?.isMore === true) {
          load().catch((error: unknown) => {
            logFailure(deps.log, 'Timeline', error);
            picker.rows = [{ label: messageOf(error), alwaysShow: true }];
          });
        } else if (chosen?.event) resolve(chosen.event);
      });
      picker.onDidChangeActive(([active]) => {
        if (active === shown || active?.event?.messageId === undefined) return;
        shown = active;
        show(active.event.messageId).catch((error: unknown) => logFailure(deps.log, 'Timeline', error));
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      load().catch(reject);
    });
  } finally {
    picker.dispose();
    await lookBack.end();
    chat.endPreview();
  }
}

async function itemOf({ store, labels }: MoveContext, event: LogEvent): Promise<TimelineItem> {
  const { chatId, branch, createdAt, details } = event;
  // A rewind to a question leads to before it.
  const messageId = typeof details['before'] === 'string' ? details['before'] : event.messageId;
  const message = messageId === undefined ? undefined : await store.getMessage(chatId, messageId);
  const read = message && readUIMessage(message.data);
  const labelOf = await labels.of(chatId);
  const { icon, text } = eventText(event, read ? messageExcerpt(read, QUOTED) : '', labelOf);
  const label = branch === undefined ? '' : labelOf(branch);
  const shown = event.kind === 'messages-saved' && read ? iconOf(read) : icon;
  return {
    icon: shown,
    label: text,
    // The branch is not repeated if the text names it.
    description: [...(text.includes(label) ? [] : [label]), timeAgo(createdAt)].join(' · '),
    event,
  };
}

/** Empty branches are removed and restored along with what the user does; files may have stayed. */
function isOfInterest({ kind, details }: LogEvent): boolean {
  if (kind === 'files-restored') return details['why'] !== 'stay';
  return kind !== 'branch-dropped' && !(kind === 'branch-created' && details['provisional'] === true);
}

function iconOf(message: UIMessage): string {
  if (isNoticeMessage(message)) return 'discard';
  return isUserTurn(message) ? 'account' : 'sparkle';
}

/** Shows the message it is about, on a branch that contains it, or else the branch. */
async function goTo(
  deps: MoveContext,
  chat: ShownChat,
  { chatId, messageId, branch }: LogEvent,
): Promise<void> {
  const { store, log } = deps;
  const message = messageId === undefined ? undefined : await store.getMessage(chatId, messageId);
  const leading = message && (await store.findBranchWith(chatId, message.id));
  const known = branch === undefined ? undefined : await store.getBranch(chatId, branch);
  const goal = leading ?? known;
  if (!goal) {
    log.info('Timeline: what an entry is about is gone');
    void notify.information(vscode.l10n.t('What this is about is gone, or in the trash.'));
    return;
  }
  if (!goal.isActive && !(await switchToBranch(deps, chatId, goal.name))) return;
  if (leading) await chat.reveal(message.id);
  else await chat.focus();
}
