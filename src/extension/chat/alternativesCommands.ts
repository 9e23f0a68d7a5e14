import * as vscode from 'vscode';
import { NothingToAnswerError } from '../../agent/run/runs.ts';
import type { Answering } from '../../conversation/answer.ts';
import type { AlternativesPanels } from './alternativesPanels.ts';
import { askAlternatives, type AlternativesFrom } from './askAlternatives.ts';
import { race, type RaceContext, type StartedRace } from './race.ts';
import { readAlternatives, type AlternativesSources } from './readAlternatives.ts';
import { explained } from '../branches/branchFilesCommands.ts';
import { messageIdOf, typedOf } from '../commands/commandArguments.ts';
import { askTemperature, pickModel } from '../models/pickModel.ts';
import { notify } from '../ui/notifications.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { CurrentChat, ShownChat } from '../commands/currentChat.ts';
import type { FileMoves } from '../files/fileMoves.ts';

/** Each answer is a request to a server. */
const MAX_TRIES = 8;

export function alternativesCommands(
  deps: AlternativesSources &
    RaceContext & {
      readonly current: CurrentChat;
      readonly moves: FileMoves;
    },
  panels: Pick<AlternativesPanels, 'show'>,
  chat: Pick<ShownChat, 'focus'>,
): CommandHandlers<'regenerateWith' | 'tryTimes' | 'race' | 'compareAnswers'> {
  const { conversations, current, models, store } = deps;
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
      const answerings = await askAnswerings(deps);
      if (!answerings) return;
      const { failures } = await conversations.tryTimes(questionId, answerings);
      await show(questionId);
      for (const failure of failures) throw failure;
    },
    race: explained(async (argument) => {
      const typed = typedOf(argument);
      const question =
        typed === undefined
          ? askedBefore(await questionOf(argument))
          : () => conversations.addQuestion(typed);
      let started: StartedRace | undefined;
      try {
        started = await race(deps, await current.chatId(), question);
      } finally {
        // What was typed is not lost.
        if (!started && typed !== undefined) await chat.focus({ text: `/race ${typed}` });
      }
      if (!started) return;
      await show(started.questionId);
      for (const failure of started.failures) throw failure;
    }),
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

function askedBefore(questionId: string): () => Promise<string> {
  return () => Promise.resolve(questionId);
}

async function askAnswerings(from: AlternativesFrom): Promise<Answering[] | undefined> {
  const title = vscode.l10n.t('Generate Alternatives…');
  const prompt = vscode.l10n.t(
    'Number of responses. Each gets its own branch and read-only tools; with Race…, each changes files of its own.',
  );
  const chosen = await askAlternatives(from, { title, steps: 3, most: MAX_TRIES, prompt });
  if (!chosen) return undefined;
  const { models, count } = chosen;
  const temperature = await askTemperature(`${title} (3/3)`, models);
  if (temperature === undefined) return undefined;
  return Array.from({ length: count }, (_, index) => models[index % models.length]).flatMap((model) =>
    model ? [{ model, temperature: temperature === 'own' ? undefined : temperature }] : [],
  );
}
