import { z } from 'zod';
import {
  alternativesChanged,
  alternativesFromPage,
  type AlternativesFromHost,
  type AlternativesFromPage,
} from '../protocol/alternatives.ts';
import type { ShownPosition } from '../protocol/answers.ts';
import { chatFromHost, type ChatFromHost } from '../protocol/chatFromHost.ts';
import { chatFromPage, chatReplies, chatRequest, type ChatProtocol } from '../protocol/chatFromPage.ts';
import type { NoticeOf, PageProtocol, RequestOf } from '../protocol/everyPage.ts';
import { connect, type Connection } from './host.ts';
import { t } from './state/texts.ts';

/** Messages for the pages that show answers: one script draws both pages. */
export type FromHost = ChatFromHost | AlternativesFromHost;

/** Messages from that script, for either page: each host takes its own. */
interface AnswersProtocol extends PageProtocol {
  readonly fromPage: ChatProtocol['fromPage'] | AlternativesFromPage;
  readonly replies: ChatProtocol['replies'];
  readonly fromHost: FromHost;
}

type WithoutPlace<T> = T extends { place: unknown } ? Omit<T, 'place'> : T;

/** Messages and requests before the conversation they refer to is added. */
export type PageNotice = WithoutPlace<NoticeOf<AnswersProtocol>>;
export type PageRequest = WithoutPlace<RequestOf<AnswersProtocol>>;

/** The connection of the pages that show answers. */
export type Host = Connection<PageNotice, PageRequest, AnswersProtocol['replies']>;

export interface AnswersListener {
  receive(message: FromHost): void;
  /** A message of this type could not be read. */
  refused(type: string): void;
  /** The conversation that is shown, which all requests name. */
  place(): ShownPosition | undefined;
  /** Reports that something cannot be done on this page. */
  fail(text: string): void;
}

const fromHost = z.discriminatedUnion('type', [...chatFromHost.options, alternativesChanged]);

/** The types that act on the conversation that is shown. */
const placed = new Set<string>(
  [...chatFromPage.options, ...chatRequest.options, ...alternativesFromPage.options].flatMap(({ shape }) =>
    'place' in shape ? [shape.type.value] : [],
  ),
);

/** Connects a page that shows answers to its host. */
export function connectHost(listener: AnswersListener): Host {
  const connection = connect<AnswersProtocol>('chat', {
    fromHost,
    replies: chatReplies,
    receive: (message) => listener.receive(message),
    refused: (type) => listener.refused(type),
  });
  const withPlace = <T extends { readonly type: string }>(message: T): T | undefined => {
    if (!placed.has(message.type)) return message;
    const place = listener.place();
    return place && { ...message, place };
  };
  const lost = (): string => t('No chat is shown. Open a chat, then try again.');
  return {
    memory: connection.memory,
    send: (message) => {
      const placed = withPlace(message);
      // Messages that act on a place now have one; the host validates the protocol again.
      if (placed) connection.send(placed as NoticeOf<AnswersProtocol>);
      else listener.fail(lost());
    },
    sendRequest: (request) => {
      const asked = withPlace(request);
      if (!asked) return Promise.reject(new Error(lost()));
      return connection.sendRequest(asked as never);
    },
  };
}
