import type { WaitsFor } from '../../../models/messages/toolParts.ts';
import type { CommandOutput } from './commandOutput.ts';

/** How much of the end of an output is looked at, in UTF-16 units: a question stands on its last line. */
const LOOKED_AT = 500;

const password =
  /(?:pass(?:word|phrase|code)|\bPIN\b|(?:one-time|verification|security) code|密码|口令)[^\n]*[:：]\s*$/iu;

/** The last lines of pagers, and of programs that continue with any key. */
const key =
  /^(?::|--\s?More--.*|\(END\)|lines \d+-\d+.*|.*\bpress (?:any key|enter|return|space|q)\b.*)\s*$/iu;

const question = /[?:>\])？：]\s*$|[#$%] $/u;

/** What a command that writes nothing seems to wait for, by the end of what it wrote. */
export function seemsToWaitFor(output: CommandOutput): WaitsFor {
  if (output.fillsTerminal()) return 'key';
  const line = output.end(LOOKED_AT).split('\n').at(-1)?.trimStart() ?? '';
  if (password.test(line)) return 'password';
  if (key.test(line)) return 'key';
  return question.test(line) ? 'answer' : 'unknown';
}
