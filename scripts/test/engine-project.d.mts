// What the tests, which are TypeScript, use of this script.
export function installEngine(folder: string): Promise<{ filename: string; files: string[] }>;
export function readmePrograms(): Promise<{ source: string; printed: string[] }[]>;
