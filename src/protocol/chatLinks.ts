/**
 * A link to a chat, from any edition of VS Code. It only shows that the name belongs to this extension: the host must
 * resolve the target.
 */
export const CHAT_LINK = /^(?!javascript:|data:|vbscript:)[a-z][a-z0-9.+-]*:\/\/offshoot\.offshoot\/chat\//i;
