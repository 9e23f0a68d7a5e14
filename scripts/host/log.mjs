import { format } from 'node:util';

/** What the workbench says of itself: agents, reconnections, the gallery and the network it cannot reach. */
const workbenchChatter = [
  /^\[(AgentHost|RemoteAgentHostProtocol|DefaultAccount|LM|AccountPolicyGate|Service Worker|reconnection-grace)/,
  /^(Creating a socket|Resolving connection|Resolved connection)/,
  /additional builtin extensions/,
  /ENOTFOUND/,
  /^Canceled: Canceled/,
];

/**
 * Prints one log entry of the workbench, if it comes from the extension or its tests.
 * With OFFSHOOT_VERBOSE set, everything is printed.
 * @param {string} level
 * @param {unknown[]} args
 */
export function printLog(level, args) {
  const text = format(...args);
  if (process.env.OFFSHOOT_VERBOSE || !isChatter(level, text)) console.log(text);
}

/**
 * @param {string} level
 * @param {string} text
 */
function isChatter(level, text) {
  if (level === 'trace' || level === 'debug') return true;
  if (level === 'error' && text.includes('/out/vs/code/browser/workbench/workbench.js:')) return true;
  return workbenchChatter.some((pattern) => pattern.test(text));
}
