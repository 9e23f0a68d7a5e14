/** @typedef {import('./value-type.mjs').Schema} Schema */

/**
 * @param {Schema} schema
 * @returns {string}
 */
export function valueType(schema) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return `(${schema.items ? valueType(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectType(schema);
    default:
      throw new Error(
        `There is no type for ${JSON.stringify(schema)}. Add it to scripts/manifest/value-type.mjs.`,
      );
  }
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function objectType({ properties, required = [], additionalProperties }) {
  if (properties) {
    const lines = Object.entries(properties).map(
      ([name, value]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${valueType(value)}`,
    );
    return `{ ${lines.join('; ')} }`;
  }
  const others = typeof additionalProperties === 'object' ? valueType(additionalProperties) : 'unknown';
  return `Record<string, ${others}>`;
}
