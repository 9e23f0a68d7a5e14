import * as vscode from 'vscode';
import { loadOnce } from '../../base/loadOnce.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import type { CommandHandler, CommandPart } from '../commands/commandHandlers.ts';
import { explained } from '../branches/branchFilesCommands.ts';
import { PLAN_SCHEME } from './planScheme.ts';
import type { PlansWork } from './plansWork.ts';

/** Without the id of a message, the commands are about the plan of the current branch. */
export function plansCommands(
  deps: ConstructorParameters<typeof PlansWork>[0],
  chat: ShownChat,
): CommandPart<'carryOutPlan' | 'carryOutPlanInOwnFiles' | 'editPlan' | 'carryOutEditedPlan'> {
  let made: PlansWork | undefined;
  const work = loadOnce(async () => {
    const { PlansWork } = await import('./plansWork.ts');
    return (made = new PlansWork(deps, chat));
  });
  // An editor that the window opened with reads its plan at once.
  if (isPlanOpen()) void work();
  const implement =
    (isInOwnFiles: boolean): CommandHandler =>
    async (argument) =>
      (await work()).implement(messageIdOf(argument), isInOwnFiles);
  return {
    dispose: () => made?.dispose(),
    handlers: {
      carryOutPlan: implement(false),
      carryOutPlanInOwnFiles: explained(implement(true)),
      editPlan: async (argument) => (await work()).open(messageIdOf(argument)),
      carryOutEditedPlan: async (argument) => (await work()).implementOpen(argument),
    },
  };
}

function isPlanOpen(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === PLAN_SCHEME),
  );
}
