import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { attachBranchCommands, type AttachBranchDeps } from './attachBranchCommands.ts';
import { checkpointCommands, type CheckpointCommandsDeps } from './checkpointCommands.ts';
import { manageBranchCommands, type ManageBranchCommandsDeps } from './manageBranchCommands.ts';
import { messageCommands, type MessageCommandsDeps } from './messageCommands.ts';
import { rewindCommands, type RewindCommandsDeps } from './rewindCommands.ts';

export interface BranchesCommandsDeps
  extends
    AttachBranchDeps,
    CheckpointCommandsDeps,
    ManageBranchCommandsDeps,
    MessageCommandsDeps,
    RewindCommandsDeps {}

type BranchesCommand = NamesOf<
  | typeof attachBranchCommands
  | typeof checkpointCommands
  | typeof manageBranchCommands
  | typeof messageCommands
  | typeof rewindCommands
>;

/** The commands on messages, branches and checkpoints. */
export function branchesCommands(
  deps: BranchesCommandsDeps,
  chat: ShownChat,
): CommandHandlers<BranchesCommand> {
  return together(
    attachBranchCommands(deps, chat),
    checkpointCommands(deps, chat),
    manageBranchCommands(deps, chat),
    messageCommands(deps),
    rewindCommands(deps, chat),
  );
}
