import { DamagedDataError } from '../../engine/errors.ts';
import type { JsonObject, JsonValue } from '../../engine/json.ts';
import { isJsonObject } from '../common/chatChanges.ts';
import type { SqlRow, SqlValue } from './database.ts';

// Rows come from a file that any program may have written to, so each column is checked as it is read.

export function text(row: SqlRow, column: string): string {
  const value = valueOf(row, column);
  return typeof value === 'string' ? value : fail(column, value);
}

export function optionalText(row: SqlRow, column: string): string | undefined {
  return valueOf(row, column) === null ? undefined : text(row, column);
}

export function integer(row: SqlRow, column: string): number {
  const value = valueOf(row, column);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : fail(column, value);
}

export function optionalInteger(row: SqlRow, column: string): number | undefined {
  return valueOf(row, column) === null ? undefined : integer(row, column);
}

export function json(row: SqlRow, column: string): JsonValue {
  const source = text(row, column);
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(source) as JsonValue;
  } catch (cause) {
    throw new DamagedDataError(`"${column}" is not JSON`, { cause });
  }
}

export function jsonObject(row: SqlRow, column: string): JsonObject {
  const value = json(row, column);
  return isJsonObject(value) ? value : fail(column, text(row, column));
}

function valueOf(row: SqlRow, column: string): SqlValue {
  const value = row[column];
  if (value === undefined) throw new DamagedDataError(`column "${column}" is missing`);
  return value;
}

function fail(column: string, value: SqlValue): never {
  throw new DamagedDataError(`"${column}" holds a value of type ${value === null ? 'null' : typeof value}`);
}
