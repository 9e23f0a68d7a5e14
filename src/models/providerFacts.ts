import type { RequestPrices } from '../engine/estimate/modelPrices.ts';
import type { ChatModel, ModelCapability, OpenedModel, ReasoningEffort } from './chatModel.ts';
import type { RefusedSettings } from './providers/withSettings.ts';
import type { Fetch } from './requests/originFetch.ts';
import type { ProviderOptions } from './requests/prompt.ts';

/** The limits for the pictures of a request. */
export interface ImageLimits {
  /** The media types it reads. Default: PNG, JPEG, GIF and WebP. */
  readonly types?: readonly string[];
  /** Per picture, in bytes of base64. */
  readonly maxBytes?: number;
  /** Per picture, in pixels per side. */
  readonly maxSide?: number;
  /** With more than `count` pictures in a request, no side may be longer than this. */
  readonly many?: { readonly count: number; readonly maxSide: number };
  /** The maximum number in a request. */
  readonly maxCount?: number;
}

/** The limits for all PDFs of a request together. */
export interface PdfLimits {
  /** In bytes of base64, with room for the rest of the request. */
  readonly maxBytes: number;
  /** Omitted if none is documented. */
  readonly maxPages?: number;
}

export interface SchemaLimits {
  /** The formats it knows. Default: all. */
  readonly formats?: ReadonlySet<string>;
  /** Each schema needs a type, only texts can be listed as values, and there are no defaults. */
  readonly isTyped?: boolean;
  /**
   * It gets no bounds, patterns and formats. Servers that turn a schema into a grammar repeat a rule for each of up to
   * 2,000 characters, and llama.cpp then refuses the whole request; who carries out the call checks its input anyway.
   */
  readonly takesNoBounds?: boolean;
}

/** A member left out means that it accepts what most do. A `name` is that of a model, without the provider. */
export interface ProviderFacts {
  readonly callIds?: RegExp;
  readonly toolNames?: RegExp;
  /** The name of what it speaks, for errors. Default: OpenAI's chat completions. */
  readonly protocol?: string;
  readonly maxTools?: number;
  readonly schemas?: SchemaLimits;
  /** The end of its scale. Default: 2. */
  readonly maxTemperature?: number;
  readonly images?: ImageLimits;
  /** Undefined: it documents none, and gets no PDFs. */
  readonly pdfs?: PdfLimits;
  /** The names of its models without vision, which read no PDFs. */
  readonly readsNoPdfs?: RegExp;
  /** Whether tool results may contain files; elsewhere the user gives them. */
  readonly takesFilesInResults?: (name: string) => boolean;
  /** The name under which its models store what they need back with a message; `*`: under any. */
  readonly metadata?: string;
  /** Whether a call without a signature is refused. */
  readonly wantsSignatures?: (name: string) => boolean;
  /**
   * Its own reasoning that it gets back: of turns with calls, of whole items, with details that stand next to the content of
   * their message, or by metadata. Default: none.
   */
  readonly reasoning?:
    'toolTurns' | 'items' | 'details' | ((metadata: ProviderOptions | undefined) => boolean);
  /** Ids of models whose servers refuse a call without its reasoning; the others do once they have sent some. */
  readonly wantsReasoning?: RegExp;
  /** Ids of models whose template has one place for text and reasoning before a call, and refuses both. */
  readonly saysOrThinks?: RegExp;
  /** Many servers and templates accept only one text per message, unless there are pictures. */
  readonly wantsOneText?: boolean;
  /** Some servers and model templates refuse a user message right after a tool's. */
  readonly wantsAnswerFirst?: boolean;
  /** There is no place for instructions. */
  readonly takesNoSystem?: boolean;
  /** Marks the end of what it should cache; undefined for models that need no marks. */
  readonly cacheMark?: (name: string) => ProviderOptions | undefined;
  /** Options for each request of a chat, so that they all reach the same cache. */
  readonly cacheKey?: (key: string) => ProviderOptions;
  /** The reasoning efforts a model supports, lowest first. Default: none. */
  readonly efforts?: (name: string, capabilities: ChatModel['capabilities']) => readonly ReasoningEffort[];
  /** For titles and summaries: the cheapest that writes them well, as of November 2026. Default: the current one. */
  readonly smallModel?: string;
  /** Its models are those of this provider, under names of the user's; facts are about the models' own names. */
  readonly modelsOf?: string;
}

/** How a user signs in through the editor, which keeps the session. */
export interface EditorSession {
  /** An authentication provider of VS Code. */
  readonly providerId: 'microsoft';
  readonly scopes: readonly string[];
  /** The only hosts that get the token of a session. */
  readonly hosts: RegExp;
}

export interface HostedProvider<Id extends string = string> extends ProviderFacts {
  /** The part of model ids before the colon. */
  readonly id: Id;
  readonly label: string;
  /** The base of its addresses; the key is stored under its origin. Undefined: each user has another one. */
  readonly baseUrl: string | undefined;
  /** A session is used where no key is set. */
  readonly session?: EditorSession;
  /** A model's name in the table of list prices. Default: its id. */
  readonly listedAs?: (model: string) => string;
  /** Where a user gets a key. */
  readonly keyPage: string;
  /** Below the base. */
  readonly modelsPath: string;
  /** Below the base: refused for a key that is not valid. Default: the list of models. */
  readonly keyPath?: string;
  /** Where a user signs in instead of entering a key. */
  readonly signIn?: SignInPaths;
  /** The headers that carry the key when the list of models is requested. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Headers for each request from a browser, which the provider refuses without them. */
  readonly browserHeaders?: Readonly<Record<string, string>>;
  /** The chat models in the response to that request; undefined when it is not a list. */
  readonly readModels: (body: unknown) => readonly HostedModel[] | undefined;
  /** What is known of a model that has not been listed. Default: its name. */
  readonly describe?: (name: string) => HostedModel;
  /** @param model the one behind a name of the user's. Default: the name */
  readonly open: (name: string, access: HostedAccess, model?: string) => Promise<OpenedModel>;
}

/** Sign-in with a code challenge (RFC 7636), which ends with a key. */
export interface SignInPaths {
  /** The page for the user, at the origin of the base. */
  readonly page: string;
  /** Below the base: gives the key for a code. */
  readonly exchange: string;
}

export interface HostedModel {
  readonly name: string;
  readonly label?: string;
  readonly contextWindow?: number;
  readonly capabilities?: readonly ModelCapability[];
  /** As its provider lists it. */
  readonly price?: RequestPrices;
}

export interface HostedAccess {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: Fetch;
  /** Is told the name of what a response has that is not known. */
  readonly onPassedOver?: ((what: string) => void) | undefined;
  /** What this account was refused; kept as long as the source, so that each failing request is made only once. */
  readonly refused: RefusedSettings;
}

/** The efforts of most models that reason. */
export const THREE_EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high'];

/** The call ids of OpenAI's chat completions. */
export const SHORT_CALL_IDS = /^[a-zA-Z0-9_-]{1,40}$/u;

/** The model that a request is made for. */
export interface Target extends Pick<ChatModel, 'id' | 'listedAs'> {
  /** The part of its id after the provider; for a name of the user's, that of the model behind it. */
  readonly name: string;
  readonly provider: ProviderFacts;
}
