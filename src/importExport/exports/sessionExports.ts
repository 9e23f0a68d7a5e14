import { claudeCodeExport } from './claudeCodeExport.ts';
import { codexExport } from './codexExport.ts';
import { opencodeExport } from './opencodeExport.ts';
import { piExport } from './piExport.ts';
import type { SessionExport } from './sessionExport.ts';

/** The programs that can continue a branch as a session of their own, by name. */
export const sessionExports: readonly SessionExport[] = [
  claudeCodeExport,
  codexExport,
  opencodeExport,
  piExport,
];
