import * as vscode from 'vscode';
import { NothingToAnswerError } from '../../agent/run/runs.ts';
import type { Answering } from '../../conversation/answer.ts';
import type { AlternativesPanels } from './alternativesPanels.ts';
import { readAlternatives, type AlternativesSources } from './readAlternatives.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import { askTemperature, pickModel, pickModels } from '../models/pickModel.ts';
import { notify } from '../ui/notifications.ts';
import { askText } from '../ui/inputBox.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import type { FileMoves } from '../files/fileMoves.ts';
import type { Settings } from '../manifest/settings.ts';

/** Each answer is a request to a server. */
const MAX_TRIES = 8;

export function alternativesCommands(
  deps: AlternativesSources & {
    readonly conversations: Conversations;
    readonly current: CurrentChat;
    readonly models: ModelRegistry;
    readonly moves: FileMoves;
    readonly settings: Settings;
  },
  panels: Pick<AlternativesPanels, 'show'>,
): CommandHandlers<'regenerateWith' | 'tryTimes' | 'compareAnswers'> {
  const { conversations, current, models, settings, store } = deps;
  const questionOf = async (argument: unknown): Promise<string> => {
    const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
    const chatId = await current.chatId();
    const path = messageId === undefined ? [] : await store.getPath(chatId, messageId);
    const question = path.findLast(isUserTurn);
    if (!question) throw new NothingToAnswerError((await store.getActiveBranch(chatId))?.name ?? 'main');
    return question.id;
  };
  const show = async (questionId: string): Promise<void> => {
    const chatId = await current.chatId();
    await panels.show({ chatId, questionId }, await conversations.messageText(questionId));
  };
  return {
    regenerateWith: async (argument) => {
      const questionId = await questionOf(argument);
      const title = vscode.l10n.t('Regenerate With…');
      const placeHolder = vscode.l10n.t('Select a model. The answer goes to a new branch.');
      const model = await pickModel(models, { title, placeHolder });
      if (!model) return;
      const temperature = await askTemperature(title, [model]);
      if (temperature === undefined) return;
      await deps.moves.go({
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
      const answerings = await askAlternatives(models, settings.get('tries.count'));
      if (!answerings) return;
      const { failures } = await conversations.tryTimes(questionId, answerings);
      await show(questionId);
      for (const failure of failures) throw failure;
    },
    compareAnswers: async (argument) => {
      const questionId = await questionOf(argument);
      const alternatives = await readAlternatives(deps, await current.chatId(), questionId);
      if ((alternatives?.alternatives.length ?? 0) < 2) {
        void notify.information(
          vscode.l10n.t('This question has one answer. Use “Generate Alternatives…” to get more.'),
        );
        return;
      }
      await show(questionId);
    },
  };
}

async function askAlternatives(from: ModelRegistry, usual: number): Promise<Answering[] | undefined> {
  const title = vscode.l10n.t('Generate Alternatives…');
  const models = await pickModels(from, {
    title: `${title} (1/3)`,
    placeHolder: vscode.l10n.t('Select one model, or several that take turns'),
  });
  if (!models) return undefined;
  const least = Math.max(2, Math.min(models.length, MAX_TRIES));
  const isCount = (text: string): boolean => /^\d$/u.test(text.trim()) && +text >= 2 && +text <= MAX_TRIES;
  const entered = await askText({
    title: `${title} (2/3)`,
    prompt: vscode.l10n.t('Number of responses. Each gets its own branch and read-only tools.'),
    value: String(Math.max(usual, least)),
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
