import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/envelope.ts';
import type { CommandId } from '../manifest/ids.ts';

type PageCommands = Readonly<Partial<Record<NoticeOf<ChatProtocol>['type'], CommandId>>>;

/** What the page asks for that is a command as the palette has it. */
export const PLAIN_COMMANDS = {
  addBranch: 'offshoot.addBranch',
  attach: 'offshoot.attach',
  newChat: 'offshoot.newChat',
  openSampleChat: 'offshoot.openSampleChat',
  pickBranch: 'offshoot.switchBranch',
  pickEffort: 'offshoot.selectReasoningEffort',
  pickMessage: 'offshoot.goToMessage',
  pickMode: 'offshoot.selectMode',
  pickModel: 'offshoot.selectModel',
  pickRewind: 'offshoot.rewind',
  reconnect: 'offshoot.openStorageAgain',
  summariseContext: 'offshoot.summariseContext',
  useLocalChats: 'offshoot.disconnectSharedStore',
} as const satisfies PageCommands;

type Plain = Extract<NoticeOf<ChatProtocol>, { type: keyof typeof PLAIN_COMMANDS }>;

/** Whether it is a command that takes nothing. */
export function isPlain(message: NoticeOf<ChatProtocol>): message is Plain {
  return message.type in PLAIN_COMMANDS;
}

/** The commands it asks for on files that tools changed. */
export const REVIEW_COMMANDS = {
  reviewEdits: 'offshoot.reviewEdits',
  keepEdits: 'offshoot.keepEdits',
  undoEdits: 'offshoot.undoEdits',
} as const satisfies PageCommands;

/** The commands it asks for on a message. */
export const MESSAGE_COMMANDS = {
  regenerate: 'offshoot.regenerate',
  regenerateWith: 'offshoot.regenerateWith',
  tryTimes: 'offshoot.tryTimes',
  compareAnswers: 'offshoot.compareAnswers',
  rewindTo: 'offshoot.rewindToHere',
  createCheckpoint: 'offshoot.createCheckpointHere',
  copyMessage: 'offshoot.copyMessage',
  carryOutPlan: 'offshoot.carryOutPlan',
  editPlan: 'offshoot.editPlan',
  undoCompaction: 'offshoot.undoCompaction',
} as const satisfies PageCommands;
