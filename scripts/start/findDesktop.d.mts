/** What decides where programs are; tests make one up. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isExecutable: (file: string) => boolean;
}

/** The command that opens a desktop VS Code: on PATH, or where installers put it. */
export function findDesktop(machine: Machine): string | undefined;

/** Where a command is on PATH. */
export function findOnPath(name: string, machine: Machine): string | undefined;
