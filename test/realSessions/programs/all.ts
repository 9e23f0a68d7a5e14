import type { Driver } from '../driver.ts';
import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwenCode.ts';

/** Every program that is driven, by the name it is asked for with. */
export const drivers: readonly Driver[] = [claudeCode, codex, qwenCode, pi, gemini, copilot];
