export interface TestResult {
  title: string;
  state: string;
  file?: string;
  error?: string;
}

export interface Outcome {
  passed: number;
  failed: number;
  seconds: number;
  tests: TestResult[];
  isOnlyOfTests: boolean;
}

interface Step {
  name: string;
  part: string;
  command: string[];
  again?: (file: string) => string[];
}

export interface KnownFlaky {
  file: string;
  since: string;
  cause: string;
}

export const MOST_FLAKY_FILES: number;
export const DAYS_TO_MEND: number;

export class SecondLook {
  constructor(run: (step: Step) => Promise<Outcome>);
  readonly flaky: readonly { file: string; title: string; error: string }[];
  at(step: Step, outcome: Outcome): Promise<Outcome>;
}
export function failedFiles(tests: readonly TestResult[]): string[];
export function overdue(known: readonly KnownFlaky[], now: Date): KnownFlaky[];
