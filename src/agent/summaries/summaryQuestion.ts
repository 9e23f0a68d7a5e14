/** What the user is told by a program that asks for a summary begins so; the demo model knows it by that. */
export const SUMMARY_QUESTION = 'Summarise this part of a conversation.';
