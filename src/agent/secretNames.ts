/** Names of headers and query parameters that hold secrets. */
const SECRET =
  /^(?:proxy-)?authorization$|^cookie$|(?:^|[-_])(?:api|access|auth|subscription|secret)?[-_]?(?:key|token|secret|password|auth|signature|sig)$/iu;

/** Whether a value with this name is a secret: settings are synchronized, shared and read by every extension. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
