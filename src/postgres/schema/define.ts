/** A function for clients: it runs as the owner of the tables, and checks the caller itself. */
export function entry(
  name: string,
  parameters: string,
  returns: string,
  body: string,
  volatility: 'STABLE' | 'VOLATILE' = 'STABLE',
): string {
  return `CREATE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql ${volatility}
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
${body} $entry$;
`;
}
