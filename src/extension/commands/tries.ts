import * as vscode from 'vscode';
import { NothingToAnswerError } from '../../agent/runs.ts';
import type { Answering } from '../conversations.ts';
import type { Services } from '../services.ts';
import { TriesPanels } from '../tries/triesPanels.ts';
import type { KeepTry } from '../tries/triesPanel.ts';
import { readTries } from '../tries/readTries.ts';
import type { ChatView } from '../chat/chatView.ts';
import { messageIdOf } from './arguments.ts';
import { switchToBranch } from './branches.ts';
import { askTemperature, pickModel, pickModels } from './pickAnswering.ts';
import { notify } from '../ui/notifications.ts';
import { askText } from '../ui/inputBox.ts';

/** At most so many answers at once: each is a request to a server. */
const MAX_TRIES = 8;

/** Answering a question again: by another model or temperature, or several times to choose from. */
export function registerTryCommands(
  services: Services,
  chat: ChatView,
  extensionUri: vscode.Uri,
): vscode.Disposable {
  const { conversations, current, settings, store } = services;
  const panels = new TriesPanels(services, extensionUri, keepTry(services, chat));
  const questionOf = async (argument: unknown): Promise<string> => {
    const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
    const chatId = await current.chatId();
    const path = messageId === undefined ? [] : await store.getPath(chatId, messageId);
    const question = path.findLast(({ name }) => name === 'user');
    if (!question) throw new NothingToAnswerError((await store.getActiveBranch(chatId))?.name ?? 'main');
    return question.id;
  };
  const show = async (questionId: string): Promise<void> => {
    const chatId = await current.chatId();
    panels.show({ chatId, questionId }, await conversations.saidIn(questionId));
  };
  const commands = services.commands.add({
    regenerateWith: async (argument) => {
      const questionId = await questionOf(argument);
      const title = vscode.l10n.t('Regenerate With…');
      const placeHolder = vscode.l10n.t('Who shall answer? The answer goes to a new branch.');
      const model = await pickModel(services, { title, placeHolder });
      if (!model) return;
      const temperature = await askTemperature(title, [model]);
      if (temperature === undefined) return;
      await services.moves.go({
        chatId: await current.chatId(),
        messageId: questionId,
        title,
        move: () =>
          conversations.regenerate(questionId, {
            model,
            temperature: temperature === 'own' ? undefined : temperature,
          }),
      });
    },
    tryTimes: async (argument) => {
      const questionId = await questionOf(argument);
      const answerings = await askTries(services, settings.get('tries.count'));
      if (!answerings) return;
      const { failures } = await conversations.tryTimes(questionId, answerings);
      await show(questionId);
      for (const failure of failures) throw failure;
    },
    compareAnswers: async (argument) => {
      const questionId = await questionOf(argument);
      const tries = await readTries(services, await current.chatId(), questionId);
      if ((tries?.tries.length ?? 0) < 2) {
        void notify.information(
          vscode.l10n.t('This question has one answer. “Try Several Times…” makes more to choose from.'),
        );
        return;
      }
      await show(questionId);
    },
  });
  return vscode.Disposable.from(commands, panels);
}

async function askTries(services: Services, usual: number): Promise<Answering[] | undefined> {
  const title = vscode.l10n.t('Try Several Times…');
  const models = await pickModels(services, {
    title: `${title} (1/3)`,
    placeHolder: vscode.l10n.t('Who shall answer? One model, or several that take turns.'),
  });
  if (!models) return undefined;
  const least = Math.max(2, Math.min(models.length, MAX_TRIES));
  const isCount = (text: string): boolean => /^\d$/u.test(text.trim()) && +text >= 2 && +text <= MAX_TRIES;
  const entered = await askText({
    title: `${title} (2/3)`,
    prompt: vscode.l10n.t(
      'How many answers? Each goes to a branch of its own. Their tools only read: they cannot change files or anything else.',
    ),
    value: String(Math.max(usual, least)),
    ignoreFocusOut: true,
    validateInput: (text) =>
      isCount(text) ? undefined : vscode.l10n.t('Enter a number from 2 to {0}.', MAX_TRIES),
  });
  if (entered === undefined || !isCount(entered)) return undefined;
  const temperature = await askTemperature(`${title} (3/3)`, models);
  if (temperature === undefined) return undefined;
  return Array.from({ length: Number(entered) }, (_, index) => models[index % models.length]).flatMap(
    (model) => (model ? [{ model, temperature: temperature === 'own' ? undefined : temperature }] : []),
  );
}

/** Goes to the branch of the answer that was chosen, and offers to put the others out of sight. */
function keepTry(services: Services, chat: ChatView): KeepTry {
  return async ({ chatId, questionId }, branch) => {
    const tries = await readTries(services, chatId, questionId);
    if (!(await switchToBranch(services, chatId, branch))) return false;
    await chat.focus();
    // What goes on after its answer is more than a try.
    const others = (tries?.tries ?? []).filter((each) => each.branch !== branch && !each.goesOn);
    if (others.length > 0)
      void offerArchive(
        services,
        chatId,
        branch,
        others.map((each) => each.branch),
      );
    return true;
  };
}

async function offerArchive(
  { runs, store, log }: Services,
  chatId: string,
  kept: string,
  others: readonly string[],
): Promise<void> {
  const archive = vscode.l10n.t('Archive the Others');
  const text =
    others.length === 1
      ? vscode.l10n.t('You are on branch {0}. The other answer stays in the tree.', kept)
      : vscode.l10n.t('You are on branch {0}. The {1} other answers stay in the tree.', kept, others.length);
  if ((await notify.information(text, archive)) !== archive) return;
  const archived: string[] = [];
  try {
    for (const name of others) {
      await runs.stop(chatId, name);
      // One may have gone there meanwhile.
      if ((await store.getBranch(chatId, name))?.isActive !== false) continue;
      await store.archiveBranch(chatId, name);
      archived.push(name);
    }
  } catch (error) {
    log.error(`Archiving answers: ${error instanceof Error ? error.name : typeof error}`);
  }
  const undo = vscode.l10n.t('Undo');
  const done = vscode.l10n.t('Out of sight: {0}. Nothing of them is lost.', archived.join(', '));
  if ((await notify.information(done, undo)) !== undo) return;
  for (const name of archived) await store.unarchiveBranch(chatId, name);
}
