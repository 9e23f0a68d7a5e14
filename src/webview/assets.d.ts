/** Styles are bundled by the build. */
declare module '*.css';

/** Made by the build (scripts/build/page-parts.mjs). */
declare module 'page-parts' {
  /** The names of the files that the script of the chat's page imports at once. */
  export const pageParts: readonly string[];
}
