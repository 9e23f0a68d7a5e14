import { readFile, writeFile } from 'node:fs/promises';

/** The themes that come with VS Code, by the name in the settings and the class its page then has. */
export const themes = {
  'Default Dark Modern': 'vscode-theme-defaults-themes-dark_modern-json',
  'Default Light Modern': 'vscode-theme-defaults-themes-light_modern-json',
  'Default High Contrast': 'vscode-theme-defaults-themes-hc_black-json',
  'Default High Contrast Light': 'vscode-theme-defaults-themes-hc_light-json',
} as const;

export type Theme = keyof typeof themes;

/** Changes a settings file as an editor would; VS Code takes notice. */
export async function changeSettings(file: string, changes: Record<string, unknown>): Promise<void> {
  const before = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...before, ...changes }, undefined, 2));
}
