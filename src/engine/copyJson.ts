/**
 * A copy that shares nothing with what is copied, for data that JSON can hold. Unlike `structuredClone` it takes what it
 * does not know (a date, a function) as it is, and costs a fraction.
 */
export function copyJson<T>(value: T): T {
  return (typeof value === 'object' && value !== null ? copyObject(value) : value) as T;
}

function copyObject(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  // A spread makes own members of all names, `__proto__` included, and is the fastest there is.
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) {
    const member = copy[name];
    if (typeof member === 'object' && member !== null) copy[name] = copyObject(member);
  }
  return copy;
}
