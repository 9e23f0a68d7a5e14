import { chatFromHost, type ChatFromHost } from '../protocol/chatFromHost.ts';
import {
  chatFromPage,
  chatReplies,
  chatRequest,
  type ChatProtocol,
  type ShownPosition,
} from '../protocol/chatFromPage.ts';
import type { NoticeOf, RequestOf } from '../protocol/everyPage.ts';
import { connect, type Connection } from './host.ts';
import { t } from './state/texts.ts';

type WithoutPlace<T> = T extends { place: unknown } ? Omit<T, 'place'> : T;

/** The connection of the pages that show answers: one script draws both, and each host takes what is for its page. */
export type Host = Connection<
  WithoutPlace<NoticeOf<ChatProtocol>>,
  WithoutPlace<RequestOf<ChatProtocol>>,
  ChatProtocol['replies']
>;

export interface AnswersListener {
  receive(message: ChatFromHost): void;
  /** A message of this type could not be read. */
  refused(type: string): void;
  place(): ShownPosition | undefined;
  fail(text: string): void;
}

const placed = new Set<string>(
  [...chatFromPage.options, ...chatRequest.options].flatMap(({ shape }) =>
    'place' in shape ? [shape.type.value] : [],
  ),
);

export function connectHost(listener: AnswersListener): Host {
  const connection = connect<ChatProtocol>('chat', {
    fromHost: chatFromHost,
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
    begin: () => connection.begin(),
    memory: connection.memory,
    send: (message) => {
      const placed = withPlace(message);
      // Messages that act on a place now have one; the host validates the protocol again.
      if (placed) connection.send(placed as NoticeOf<ChatProtocol>);
      else listener.fail(lost());
    },
    sendRequest: (request) => {
      const asked = withPlace(request);
      if (!asked) return Promise.reject(new Error(lost()));
      return connection.sendRequest(asked as never);
    },
  };
}
