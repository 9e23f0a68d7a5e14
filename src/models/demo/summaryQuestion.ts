/** The beginning of the program's message that asks for a summary; the demo model recognizes it. */
export const SUMMARY_QUESTION = 'Summarize this part of a conversation.';
