import { z } from 'zod';
import { alternativesChanged, type AlternativesFromHost } from '../protocol/alternativesFromHost.ts';
import { alternativesFromPage, type AlternativesFromPage } from '../protocol/alternativesFromPage.ts';
import type { ShownPosition } from '../protocol/answersFromPage.ts';
import { chatFromHost, type ChatFromHost } from '../protocol/chatFromHost.ts';
import { chatFromPage, chatReplies, chatRequest, type ChatProtocol } from '../protocol/chatFromPage.ts';
import type { NoticeOf, PageProtocol, RequestOf } from '../protocol/envelope.ts';
import { connect, type Connection } from './host.ts';
import { t } from './state/texts.ts';

/** What the pages that show answers are sent: one script draws both of them. */
export type FromHost = ChatFromHost | AlternativesFromHost;

/** What that script says, on the one page or the other: the host of each takes what is its own. */
interface AnswersProtocol extends PageProtocol {
  readonly fromPage: ChatProtocol['fromPage'] | AlternativesFromPage;
  readonly replies: ChatProtocol['replies'];
  readonly fromHost: FromHost;
}

type WithoutPlace<T> = T extends { place: unknown } ? Omit<T, 'place'> : T;

/** What is said and asked, before it is said of which conversation. */
export type PageNotice = WithoutPlace<NoticeOf<AnswersProtocol>>;
export type PageRequest = WithoutPlace<RequestOf<AnswersProtocol>>;

/** The way out of the pages that show answers. */
export type Host = Connection<PageNotice, PageRequest, AnswersProtocol['replies']>;

export interface AnswersListener {
  receive(message: FromHost): void;
  /** Of what came, this kind could not be read. */
  refused(type: string): void;
  /** The conversation that is shown, which all that is asked names. */
  place(): ShownPosition | undefined;
  /** Something can't be done on this page. */
  fail(text: string): void;
}

const fromHost = z.discriminatedUnion('type', [...chatFromHost.options, alternativesChanged]);

/** What acts on the conversation that is shown. */
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
      // What acts on a place has one now; the protocol is checked once more by the host.
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
