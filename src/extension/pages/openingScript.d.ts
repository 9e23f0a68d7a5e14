/** Made by the build (scripts/build/page-parts.mjs). */
declare module 'opening-script' {
  const text: string;
  export default text;
}
