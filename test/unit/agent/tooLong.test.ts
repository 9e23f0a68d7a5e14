import assert from 'node:assert/strict';
import { saysTooLong } from '../../../src/models/errors/describeStatus.ts';

/** As they stand in documentation and in reports, with the codes that come with them. */
const wordings: readonly string[] = [
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'context_length_exceeded',
  "This model's maximum context length is 4097 tokens, however you requested 5360 tokens. Please reduce your prompt; or completion length.",
  'Please reduce your prompt; or completion length.',
  'prompt is too long: 210000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'Input is too long for requested model.',
  'The model returned the following errors: Input is too long for requested model',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
  'Prompt contains 135000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
  'Your request exceeded model token limit: 8192',
  'Prompt exceeds max length',
  'invalid params, context window exceeds limit (2013)',
  'Range of input length should be [1, 129024]',
  '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]',
  'the request exceeds the available context size. try increasing it',
  'exceed_context_size_error',
  'n_keep >= n_ctx',
  'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000>= n_ctx: 4096)',
  'Trying to keep the first 5000 tokens when context the overflows.',
  'The decoder prompt (length 40961) is longer than the maximum model length of 40960.',
  'The engine prompt length 5000 exceeds the max_model_len 4096. Please reduce prompt.',
  'The input (9000 tokens) is longer than the model’s context length (8192 tokens).',
  "Requested token count exceeds the model's maximum context length of 8192 tokens.",
  'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`',
  'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000',
  'Input token count + `max_tokens` parameter must be less than 4097',
  'Request body too large for gpt-4o model. Max size: 8000 tokens.',
  'tokens_limit_reached',
  'prompt token count of 130000 exceeds the limit of 128000',
  'model_max_prompt_tokens_exceeded',
  'too many tokens: total number of tokens in the prompt cannot exceed 4081',
  'total number of tokens in the prompt cannot exceed 4081 - received 5000',
  'The prompt is too long: 9000, model maximum context length: 8191',
  'The estimated number of input and maximum output tokens (30000) exceeded this model context window limit (24000).',
  'prompt too long; exceeded max context length by 9 tokens',
  'the input length exceeds the context length',
  'This model only supports up to 4096 tokens',
  'Message exceeds token limit.',
  'Token indices sequence length is longer than the specified maximum sequence length for this model (5000 > 4096)',
  'Input tokens exceed the model limit',
  'model_context_window_exceeded',
  'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000',
];

const others: readonly string[] = [
  'Rate limit reached for model `m` on tokens per minute (TPM): Limit 30000, Used 29000, Requested 2000.',
  'You have exceeded the limit of requests. Please try again in 2s.',
  'You exceeded your current quota, please check your plan and billing details.',
  'This request would exceed your organization’s rate limit of 30,000 input tokens per minute.',
  'Too many requests, please wait before trying again.',
  'Too many tokens per day, please wait before trying again.',
  // Bedrock's limit per minute.
  'Too many tokens, please wait before trying again.',
  'max_tokens is too large: 32000. This model supports at most 16384 completion tokens.',
  'max_tokens must be less than 8193',
  'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
  "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64, but got a string with length 83 instead.",
  'No tool call found for function call output with call_id call_1.',
  'The model `m` does not exist or you do not have access to it.',
  'Internal server error',
  'temperature must be less than 2',
];

describe('what says that a conversation is too long', () => {
  it('is more than forty wordings of servers', () => {
    assert.ok(wordings.length > 42);
    assert.deepEqual(
      wordings.filter((text) => !saysTooLong(text)),
      [],
    );
  });

  it('is no other limit', () => {
    assert.deepEqual(others.filter(saysTooLong), []);
  });
});
