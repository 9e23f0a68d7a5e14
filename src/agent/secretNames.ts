/** Names under which secrets go, as a header or in the query of an address. */
const SECRET =
  /^(?:proxy-)?authorization$|^cookie$|(?:^|[-_])(?:api|access|auth|subscription|secret)?[-_]?(?:key|token|secret|password|auth|signature|sig)$/iu;

/** Whether what goes under this name is a secret: settings are synchronised, shared and read by every extension. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
