import { fromBase64 } from '../../engine/bytes.ts';
import type { Attachments } from '../context/attachedFiles.ts';
import type { AnswersRequest, ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { Answers } from '../pages/webviewHost.ts';
import { workspaceFolders } from '../files/openFolders.ts';
import type { Prompts } from '../context/prompts.ts';
import { mayMeanBranch, proposeContext } from '../context/proposeContext.ts';
import { readEarlier, type ViewSources } from './conversationView.ts';

export function chatAnswers(
  deps: ViewSources & { readonly attachments: Attachments; readonly prompts: Prompts },
): Omit<Answers<ChatProtocol>, AnswersRequest['type'] | 'lookBack'> {
  const { attachments } = deps;
  return {
    addImage: async ({ name, data }) => ({ attachment: await attachments.addImage(name, fromBase64(data)) }),
    addPdf: async ({ name, data }) => ({ attachment: await attachments.addPdf(name, fromBase64(data)) }),
    proposeFiles: async ({ query }) => {
      const folders = workspaceFolders();
      const [paths, symbols] = await Promise.all([attachments.paths(query), attachments.symbols(query)]);
      return {
        paths,
        symbols,
        context: proposeContext(folders.length > 0, paths, query),
        ...(mayMeanBranch(query) ? { branch: true } : {}),
      };
    },
    listPrompts: async () => ({ prompts: await deps.prompts.list() }),
    loadEarlier: async (request) => ({ messages: await readEarlier(deps, request) }),
  };
}
