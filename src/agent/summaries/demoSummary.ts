/** How many of the last questions a demo summary lists. */
const MAX_QUESTIONS = 8;
/** How much of each question, in UTF-16 units. */
const LENGTH = 120;

/** The demo cannot understand the conversation; it lists the questions. */
export function demoSummary(request: string): string {
  const messages = [...request.matchAll(/^<message role="(\w+)">\n(.*?)\n<\/message>$/gmsu)];
  const questions = messages
    .filter(([, role]) => role === 'user')
    .map(([, , text = '']) => text.replaceAll(/\s+/gu, ' ').trim())
    .map((text) => (text.length > LENGTH ? `${text.slice(0, LENGTH).trimEnd()}…` : text));
  return [
    `The demo summed up ${messages.length} messages. It cannot understand them, so here is what was asked:`,
    ...questions.slice(-MAX_QUESTIONS).map((question) => `- ${question}`),
  ].join('\n');
}
