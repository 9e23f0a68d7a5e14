/**
 * A link to a chat, whichever edition of VS Code it was copied in. That its name belongs to this extension is all it says:
 * what it leads to is for the host to find.
 */
export const CHAT_LINK = /^(?!javascript:|data:|vbscript:)[a-z][a-z0-9.+-]*:\/\/offshoot\.offshoot\/chat\//i;
