import { defineTool } from './tool.ts';
import { ASK_USER, userQuestions } from './userQuestions.ts';

export const askUserTool = defineTool({
  name: ASK_USER,
  description:
    'Asks the user up to four questions at once, each with options, for choices that matter and that files cannot ' +
    'settle. They may also answer in their own words, or leave the choice to you.',
  isForPlans: true,
  input: userQuestions,
  run: async ({ questions }, { askUser }) => {
    const answers = await askUser(questions);
    return (await import('./answersText.ts')).answersOutput(questions, answers);
  },
});
