import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { AnswerError } from './modelErrors.ts';
import { createNotice } from './notice.ts';

export interface StatusReport {
  readonly status: number | undefined;
  readonly serverText: string;
  readonly codes: string;
  readonly modelLabel: string;
  /** The name of what is spoken with the server. */
  readonly protocol: string;
  /** Milliseconds it asks to wait. */
  readonly delay: number | undefined;
}

/** Describes a refusal by status and message: servers use different statuses for the same thing. */
export function describeStatus(report: StatusReport): AnswerError {
  return describeRefusedContent(report) ?? describeRefusedOption(report) ?? describeByStatus(report);
}

function describeRefusedContent({ serverText, codes, modelLabel }: StatusReport): AnswerError | undefined {
  if (saysTooLong(`${serverText} ${codes}`)) return describeTooLong(modelLabel, serverText);
  return undefined;
}

export function describeTooLong(modelLabel: string, serverText = ''): AnswerError {
  return createNotice(
    'context-too-long',
    defineMessage(
      'Context window of {0} exceeded{1} Compact the conversation, rewind to an earlier message, or select a model with a larger context window.',
      modelLabel,
      quoted(serverText),
    ),
  );
}

/** A request option that the model does not accept and that can be omitted. */
function describeRefusedOption({ status, serverText, modelLabel }: StatusReport): AnswerError | undefined {
  // Servers use different statuses for this.
  // The last one is of templates without tools: what they refuse is the role of a result.
  if (
    /(not|n't) support (the use of )?(tool|function)|support tool use|tools? (is|are) not supported|tool choice requires|roles must alternate user\/assistant/iu.test(
      serverText,
    )
  ) {
    return createNotice(
      'no-tools',
      defineMessage(
        '{0} doesn’t support tools. Select another model, or turn tools off in the settings.',
        modelLabel,
      ),
    );
  }
  if (status === undefined || status >= 500) return undefined;
  if (
    /image|vision|multimodal/iu.test(serverText) &&
    /(not|n't) (currently )?(support|accept|allow)|unsupported|no endpoints|text.only|must be a string/iu.test(
      serverText,
    )
  ) {
    return createNotice(
      'no-images',
      defineMessage(
        '{0} doesn’t support images{1} Select another model, or ask without them.',
        modelLabel,
        quoted(serverText),
      ),
    );
  }
  if (!/temperature/iu.test(serverText)) return undefined;
  return /unsupported|(not|n't) (be )?(support|allow|set)|deprecat|only .*(default|1\b)/iu.test(serverText)
    ? createNotice(
        'no-temperature',
        defineMessage(
          '{0} doesn’t support temperature. Regenerate without one, or with another model.',
          modelLabel,
        ),
      )
    : createNotice(
        'temperature',
        defineMessage(
          '{0} doesn’t take this temperature{1} Regenerate with another.',
          modelLabel,
          quoted(serverText),
        ),
      );
}

function describeByStatus(report: StatusReport): AnswerError {
  const { status, serverText, codes, modelLabel, protocol } = report;
  // Some servers use status 400 for this.
  if (status === 401 || /api.?key (is )?(not valid|invalid)|invalid api.?key/iu.test(serverText)) {
    return createNotice(
      'unauthorized',
      defineMessage(
        'The model server needs a key, or refused the one it got. Run “Offshoot: Select Model › Set API Key…”.',
      ),
    );
  }
  switch (status) {
    case 402:
      return describeQuota(serverText);
    case 403:
      return createNotice(
        'forbidden',
        defineMessage(
          'This key can’t use {0}{1} Select another model, or run “Offshoot: Select Model › Set API Key…”.',
          modelLabel,
          quoted(serverText),
        ),
      );
    case 404:
      return createNotice(
        'model-not-found',
        defineMessage(
          'Model “{0}” not found{1} Run “Offshoot: Select Model”, or check the address in the settings: it has to be one for {2}, and most end in /v1.',
          modelLabel,
          quoted(serverText),
          protocol,
        ),
      );
    case 408:
    case 504:
      return createNotice('timeout', defineMessage('The model server timed out{0}', quoted(serverText)));
    case 413:
      return describeTooLong(modelLabel, serverText);
    case 429:
      return describeTooMany(report);
    case undefined:
      return createNotice(
        'refused',
        defineMessage('The model server ended the response with an error{0}', quoted(serverText)),
      );
    default:
      break;
  }
  if (status < 400) {
    return createNotice(
      'redirected',
      defineMessage(
        'The model server redirects to another address. Enter the final address in the settings.',
      ),
    );
  }
  if (/overloaded/iu.test(`${serverText} ${codes}`) || status === 529) {
    return createNotice('overloaded', defineMessage('The model server is overloaded{0}', quoted(serverText)));
  }
  return status >= 500
    ? createNotice('server-error', defineMessage('Server error ({0}){1}', status, quoted(serverText)))
    : createNotice(
        'refused',
        defineMessage('The model server refused the request ({0}){1}', status, quoted(serverText)),
      );
}

/** A limit per minute passes after a wait; an exhausted quota does not. Some servers call both a quota. */
function describeTooMany({ serverText, codes, delay }: StatusReport): AnswerError {
  const isUsedUp =
    /insufficient_quota|PerDay/u.test(codes) ||
    /per day|daily|billing_(hard_)?limit|no credit|insufficient (credit|balance)/iu.test(serverText) ||
    (delay === undefined && /quota|billing|credit/iu.test(serverText));
  if (isUsedUp) return describeQuota(serverText);
  return createNotice(
    'rate-limited',
    delay === undefined
      ? defineMessage('Rate limited{0} Wait a moment, then try again.', quoted(serverText))
      : defineMessage(
          'Rate limited{0} Try again in {1} s.',
          quoted(serverText),
          Math.max(1, Math.ceil(delay / 1_000)),
        ),
  );
}

function describeQuota(serverText: string): AnswerError {
  return createNotice(
    'quota',
    defineMessage('The quota of this key’s account is used up{0}', quoted(serverText)),
  );
}

const MAX_SERVER_TEXT = 300;

/** A server's message after a colon; shortened, on one line, and without anything that looks like a key. */
export function quoted(words: string): string {
  const text = withoutKeys(words).replace(/\s+/gu, ' ').replace(/\.$/u, '').trim();
  if (text === '') return '.';
  return `: ${text.length > MAX_SERVER_TEXT ? `${text.slice(0, MAX_SERVER_TEXT).toWellFormed()}…` : `${text}.`}`;
}

function withoutKeys(text: string): string {
  return text
    .replace(/\bbearer\s+\S+/giu, 'Bearer …')
    .replace(/\b(sk|pk|gsk|key|AIza|xai)[-_][\w-]{6,}/gu, '$1-…')
    .replace(/\bAIza[\w-]{10,}/gu, 'AIza…');
}

/** How servers report that a request does not fit the context window; each covers one or several servers. */
const TOO_LONG = [
  // OpenAI, vLLM, Mistral, DeepSeek; also as a code: `context_length_exceeded`, `exceed_context_size_error`.
  /context.?(length|window|size)/iu,
  /maximum (context|prompt)/iu,
  // Anthropic
  /prompt is too long/iu,
  /exceeds? (the )?context limit/iu,
  // Google
  /exceeds? the maximum number of (input )?tokens/iu,
  // llama.cpp, LM Studio
  /available context/iu,
  /context (the )?overflows/iu,
  // Moonshot, Copilot, VS Code; a limit of requests is a different error.
  /exceed(s|ed)? (the |model )*(token )?limit(?! (of|on) (requests|calls))/iu,
  /input (is|length) too long|reduce the length of the (messages|input|prompt)/iu,
  // About a single request, with any status: waiting would not make it fit.
  /request too large/iu,
];

/** The same in words that also limits of requests and of answers are told in. */
const TOO_LONG_UNLESS_OTHER = [
  // Bedrock, vLLM, Together, SGLang, Ollama
  /(input|prompt|request|messages?)( \(.{1,40}\))? (is |are )?(too long|longer than)/iu,
  // z.ai, vLLM, Databricks
  /(input|prompt)( \w+){0,3} exceed(s|ed|ing)? (the )?(max|model)/iu,
  /too many (input |prompt )?tokens/iu,
  // DashScope
  /range of input length/iu,
  // llama.cpp
  /n_keep\b.{0,12}>=.{0,4}n_ctx/iu,
  // GitHub Models, Copilot
  /tokens?_limit_(reached|exceeded)|prompt_tokens_exceeded/iu,
  /request body too large/iu,
  /token count.{0,40} exceed/iu,
  // Text Generation Inference, Together
  /must (be <=|be less than|have less than) [\d,]{3,}/iu,
  // OpenAI's older models, Cohere, Hugging Face
  /reduce your prompt/iu,
  /tokens in the (prompt|input|request) cannot exceed/iu,
  /maximum sequence length/iu,
  /only supports? up to [\d,.]+k? tokens/iu,
];

const OTHER_LIMIT =
  /per (second|minute|hour|day)|rate.?limit|quota|throttl|please wait|\b[TR]P[MD]\b|(output|completion|max(_completion)?)[_ ]tokens (is|must|value)/iu;

export function saysTooLong(text: string): boolean {
  if (TOO_LONG.some((way) => way.test(text))) return true;
  return !OTHER_LIMIT.test(text) && TOO_LONG_UNLESS_OTHER.some((way) => way.test(text));
}
