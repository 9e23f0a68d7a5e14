/** What a program sends in the name of the user when it asks for a summary begins so; the demo model knows it by that. */
export const SUMMARY_QUESTION = 'Summarise this part of a conversation.';
