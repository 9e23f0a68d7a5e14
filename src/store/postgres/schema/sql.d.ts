/** The text of a file, which the build puts into the code. */
declare module '*.sql' {
  const text: string;
  export default text;
}
