import type { Driver } from '../driver.ts';
import { claudeCode } from './claudeCode.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwenCode.ts';

/** Every program that is driven, by the name it is asked for with. */
export const drivers: readonly Driver[] = [claudeCode, codex, gemini, qwenCode, opencode, cline, copilot, pi];
