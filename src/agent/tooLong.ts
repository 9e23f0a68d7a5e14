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
  /too many (input |prompt )?tokens/iu,
  /input (is|length) too long|reduce the length of the (messages|input|prompt)/iu,
  // About a single request, with any status: waiting would not make it fit.
  /request too large/iu,
];

/** Whether a server's message means that the conversation does not fit. */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.some((way) => way.test(text));
}
