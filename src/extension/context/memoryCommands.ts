import * as vscode from 'vscode';
import { z } from 'zod';
import { BRANCH_MEMORY } from '../../agent/memory/rememberTool.ts';
import { asFact, MAX_FACT } from '../../agent/memory/memoryChange.ts';
import { MemoryUnavailableError } from '../../agent/memory/memoryErrors.ts';
import type { MemoryPlace } from '../../agent/memory/memoryPlace.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { typedOf } from '../commands/commandArguments.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { askText } from '../ui/inputBox.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import type { ContextMeter } from './contextMeter.ts';
import type { Memory } from './memory.ts';
import { memoryScopeText } from './memoryItems.ts';

export { memoryWork } from './memoryWork.ts';

const memoryArgument = z.object({
  kind: z.literal('memory'),
  fact: z.string(),
  uri: z.string().optional(),
});
type Remembered = z.infer<typeof memoryArgument>;

type Parts = Parameters<typeof memoryCommands>[0];

/** What the user says is written at once: only what the agent proposes has to be allowed. */
export function memoryCommands(deps: {
  readonly context: ContextMeter;
  readonly conversations: Conversations;
  readonly current: CurrentChat;
  readonly memory: Memory;
  readonly store: ReadonlyStore;
  readonly userId: string;
}): CommandHandlers<'remember' | 'forget'> {
  const { conversations, memory } = deps;
  return {
    remember: async (argument) => {
      const text = typedOf(argument) ?? (await askFact());
      const fact = asFact(text ?? '');
      if (fact === '') return;
      if (fact.length > MAX_FACT) {
        void notify.warning(tooLongText());
        return;
      }
      const where = await pickWhere(deps);
      if (!where) return;
      if (where.place) await memory.change(where.place, { add: fact });
      else await (await conversations.branchMemory()).change(where.branch, [{ add: fact }]);
      void notify.information(
        vscode.l10n.t(
          'Remembered “{0}”: {1}',
          oneLine(fact, 60),
          where.place?.shown ?? memoryScopeText('branch'),
        ),
      );
    },
    forget: async (argument) => {
      const remembered = memoryArgument.safeParse(argument).data ?? (await pickRemembered(deps));
      if (!remembered) return;
      const { fact, uri } = remembered;
      if (uri === undefined) {
        const at = await activeBranch(deps);
        if (at) await (await conversations.branchMemory()).change(at, [{ remove: fact }]);
        return;
      }
      const place = (await memory.places()).find((each) => each.uri === uri);
      if (!place) throw new MemoryUnavailableError();
      await memory.change(place, { remove: fact });
    },
  };
}

async function askFact(): Promise<string | undefined> {
  return askText({
    title: vscode.l10n.t('Remember'),
    prompt: vscode.l10n.t('One line that later chats are told'),
    validateInput: (value) => (asFact(value).length > MAX_FACT ? tooLongText() : undefined),
  });
}

function tooLongText(): string {
  return vscode.l10n.t('Use up to {0} characters.', MAX_FACT);
}

type Where = { readonly place: MemoryPlace } | { readonly place?: undefined; readonly branch: BranchData };

/** Undefined when the user cancelled. */
async function pickWhere(deps: Parts): Promise<Where | undefined> {
  const places = await deps.memory.places();
  if (places.length === 0) throw new MemoryUnavailableError();
  const at = await activeBranch(deps);
  const rows = [
    ...places.map((place) => ({
      label:
        place.scope === 'project' ? vscode.l10n.t('For This Project') : vscode.l10n.t('For All My Projects'),
      description: shownName(place.shown, 300),
      icon: place.scope === 'project' ? 'folder' : 'account',
      where: { place } satisfies Where,
    })),
    ...(at
      ? [
          {
            label: vscode.l10n.t('On This Branch'),
            description: vscode.l10n.t('Until it’s merged'),
            icon: 'git-branch',
            where: { branch: at } satisfies Where,
          },
        ]
      : []),
  ];
  const picked = await pickOne<(typeof rows)[number] & { readonly where: Where }>(rows, {
    title: vscode.l10n.t('Select where to remember it'),
  });
  return picked?.where;
}

/** Undefined before anything was said. */
async function activeBranch({ current, store, userId }: Parts): Promise<BranchData | undefined> {
  const chatId = await current.chatId();
  return (await store.getChat(chatId)) ? store.getActiveBranch(chatId, { userId }) : undefined;
}

async function pickRemembered({ context, memory }: Parts): Promise<Remembered | undefined> {
  const now = await context.read();
  const found = await memory.read(now.path.effects.state.get(BRANCH_MEMORY));
  const rows = found.flatMap(({ facts, scope, shown, uri }) =>
    facts.map((fact) => ({
      label: oneLine(fact, 120),
      description: shown === undefined ? memoryScopeText(scope) : shownName(shown, 300),
      remembered: { kind: 'memory' as const, fact, uri },
    })),
  );
  const picked = await pickOne(rows, { title: vscode.l10n.t('Select what to forget') });
  return picked?.remembered;
}
