import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { ModelError } from '../errors/modelErrors.ts';
import { OLLAMA_ADDRESS } from './ollama/ollamaSource.ts';
import type { Fetch } from '../requests/originFetch.ts';

/**
 * The browser does not tell whether the server is off or does not allow requests from pages.
 * @param page the origin of the requests
 */
export function browserFetch(fetch: Fetch, page: string): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      // The caller that stopped it knows why.
      if (!(error instanceof TypeError) || init?.signal?.aborted === true) throw error;
      const server = new URL(input instanceof Request ? input.url : input);
      throw new ModelError('browser-refused', whatToDo(server, allowedOrigin(page)), { cause: error });
    }
  };
}

function whatToDo({ origin, port, pathname }: URL, page: string): MessageDescriptor {
  const isOllama = port === new URL(OLLAMA_ADDRESS).port || pathname.startsWith('/api/');
  return isOllama
    ? defineMessage(
        'Can’t reach Ollama at {0}: it isn’t running, or doesn’t allow requests from {1}. Start it with the environment variable OLLAMA_ORIGINS={1}.',
        origin,
        page,
      )
    : defineMessage(
        'Can’t reach {0}: it isn’t running, or doesn’t allow requests from {1}. In a browser, a server has to allow requests of other sites (CORS).',
        origin,
        page,
      );
}

/** VS Code gives each workspace its own origin for extensions. */
function allowedOrigin(page: string): string {
  return page.replace(/^(https:\/\/)[^/]+(\.vscode-cdn\.net)$/u, '$1*$2');
}
