import { ModelError } from '../errors/modelErrors.ts';
import type { Fetch } from '../requests/originFetch.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { noticeDescriptor } from '../errors/notice.ts';

export interface ModelListRequest<T> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  /** In milliseconds. */
  readonly timeout: number;
  /** Undefined when the body is not a list of models. */
  readonly read: (body: unknown) => T | undefined | Promise<T | undefined>;
}

/** @throws ModelError `unauthorized` or `model-list` */
export async function requestModelList<T>({
  url,
  headers,
  fetch,
  timeout,
  read,
}: ModelListRequest<T>): Promise<T> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) }).catch(
    async (error: unknown) => {
      if (error instanceof ModelError) throw error;
      // It handles errors of the AI SDK, which is loaded only when a model must answer.
      const { describeModelError } = await import('../errors/describeModelError.ts');
      throw new ModelError('model-list', noticeDescriptor(describeModelError(error, url.host)), {
        cause: error,
      });
    },
  );
  if (response.status === 401 || response.status === 403) {
    throw new ModelError(
      'unauthorized',
      defineMessage(
        '{0} asks for a key, or refused the one it got (status {1}). Run “Offshoot: Select Model › Set API Key…”.',
        url.host,
        response.status,
      ),
    );
  }
  const body: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const list = body === undefined ? undefined : await read(body);
  if (list === undefined) {
    throw new ModelError(
      'model-list',
      defineMessage('{0} did not list its models (status {1}).', url.host, response.status),
    );
  }
  return list;
}
