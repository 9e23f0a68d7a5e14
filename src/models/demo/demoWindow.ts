/** What the demo knows of the window that it answers in; read again for each answer. */
export interface DemoWindow {
  /** The display language, as `zh-cn`. */
  readonly language: string;
  readonly isTrusted: boolean;
  /** In a browser without a server no program can run. */
  readonly isBrowser: boolean;
  /** The names of the open folders, as tools take them. */
  readonly folders: readonly string[];
  /** The path or name of the shell that commands run in. */
  readonly shell: string;
}
