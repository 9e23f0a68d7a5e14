import { z } from 'zod';
import {
  HOOK_EVENTS,
  type Hook,
  type HookCommand,
  type HookDialect,
  type HookEvent,
  type HookSystem,
  type HooksFile,
} from './hook.ts';

/** How the files of one program are read. */
export interface HooksFormat {
  /** Of an event in PascalCase. */
  readonly dialect: Exclude<HookDialect, 'copilot'>;
  /** How long a hook may take that does not say so, in seconds. */
  readonly timeout: number;
  /** The file has other settings too, which are no mistakes. */
  readonly isAmongSettings: boolean;
}

/** Members of a hook that are honoured, of any of the formats. */
export const HOOK_FIELDS = [
  ...['type', 'command', 'windows', 'linux', 'osx', 'bash', 'powershell', 'cwd', 'env'],
  ...['timeout', 'timeoutSec', 'matcher'],
] as const;

/** What only says something about a hook. */
const REMARKS: ReadonlySet<string> = new Set(['description', 'comment', 'statusMessage', 'name']);

/** Of one file, and in UTF-16 units: what is beyond is not looked at. */
const MAX_HOOKS = 200;
const MAX_TEXT = 20_000;
const MAX_UNKNOWN = 100;

/** The longest that a hook may take, in seconds. */
export const MAX_TIMEOUT = 600;

const text = z.string().max(MAX_TEXT);
const commandText = text.trim().min(1).optional().catch(undefined);

const file = z.looseObject({
  disableAllHooks: z.boolean().optional().catch(undefined),
  hooks: z.unknown().optional(),
});
const events = z.record(z.string(), z.unknown());
const entries = z.array(z.looseObject({}));
const seconds = z.number().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);

const entry = z.looseObject({
  type: z.string().optional().catch(undefined),
  command: commandText,
  windows: commandText,
  linux: commandText,
  osx: commandText,
  bash: commandText,
  powershell: commandText,
  cwd: text.optional().catch(undefined),
  env: z.record(z.string(), z.unknown()).catch({}),
  timeout: seconds,
  timeoutSec: seconds,
  matcher: text.optional().catch(undefined),
});
type Entry = z.infer<typeof entry>;

type Read = Pick<HooksFile, 'hooks' | 'unknown' | 'problem'>;

/** @param given the file's JSON; undefined where it is none @param system whose commands are taken */
export function readHooksFile(given: unknown, format: HooksFormat, system: HookSystem): Read {
  const whole = file.safeParse(given).data;
  if (!whole) return { hooks: [], unknown: [], problem: 'not-json' };
  const found = new FoundHooks(format, system);
  const { hooks, disableAllHooks } = whole;
  if (!format.isAmongSettings) {
    const known = ['version', 'hooks', 'disableAllHooks', '$schema', ...REMARKS];
    for (const name of Object.keys(whole)) if (!known.includes(name)) found.leave(name);
  }
  if (hooks !== undefined) found.addEvents(hooks);
  return {
    hooks: found.hooks,
    unknown: found.unknown,
    problem: disableAllHooks === true ? 'turned-off' : undefined,
  };
}

class FoundHooks {
  readonly hooks: Hook[] = [];
  readonly unknown: string[] = [];

  constructor(
    private readonly format: HooksFormat,
    private readonly system: HookSystem,
  ) {}

  leave(what: string): void {
    if (this.unknown.length < MAX_UNKNOWN && !this.unknown.includes(what)) this.unknown.push(what);
  }

  addEvents(given: unknown): void {
    const byName = events.safeParse(given).data;
    if (!byName) {
      this.leave('hooks');
      return;
    }
    for (const [name, listed] of Object.entries(byName)) {
      const named = eventNamed(name);
      const all = entries.safeParse(listed).data;
      if (!named || !all) {
        this.leave(name);
        continue;
      }
      const dialect = named.isCamel ? 'copilot' : this.format.dialect;
      for (const each of all) this.addGroup(named.event, dialect, each, name);
    }
  }

  /** A hook, or several with one matcher. */
  private addGroup(event: HookEvent, dialect: HookDialect, group: object, at: string): void {
    if (!('hooks' in group)) {
      this.add(event, dialect, group, undefined, at);
      return;
    }
    const several = entries.safeParse(group.hooks).data;
    if (!several) {
      this.leave(`${at}.hooks`);
      return;
    }
    for (const name of Object.keys(group)) {
      if (name !== 'hooks' && name !== 'matcher' && !REMARKS.has(name)) this.leave(`${at}.${name}`);
    }
    const { matcher } = entry.parse(group);
    for (const each of several) this.add(event, dialect, each, matcher, at);
  }

  private add(
    event: HookEvent,
    dialect: HookDialect,
    given: object,
    matcher: string | undefined,
    at: string,
  ): void {
    for (const name of Object.keys(given)) {
      if (!HOOK_FIELDS.some((each) => each === name) && !REMARKS.has(name)) this.leave(`${at}.${name}`);
    }
    const { data } = entry.safeParse(given);
    if (!data) return;
    const { type = 'command', timeout, timeoutSec, cwd, env } = data;
    if (type !== 'command') {
      this.leave(`${at}.type: ${type.slice(0, 50)}`);
      return;
    }
    const command = commandOn(this.system, data);
    const isEmpty = [data.command, data.windows, data.linux, data.osx, data.bash, data.powershell].every(
      (each) => each === undefined,
    );
    if (isEmpty || this.hooks.length >= MAX_HOOKS) {
      this.leave(isEmpty ? `${at}.command` : at);
      return;
    }
    const wanted = matcher ?? data.matcher;
    if (wanted !== undefined && !isMatcher(wanted)) {
      this.leave(`${at}.matcher: ${wanted.slice(0, 50)}`);
      return;
    }
    this.hooks.push({
      event,
      dialect,
      matcher: wanted,
      command,
      timeout: Math.min(timeout ?? timeoutSec ?? this.format.timeout, MAX_TIMEOUT),
      cwd: cwd === '' ? undefined : cwd,
      environment: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) =>
          /^[A-Za-z_]\w*$/u.test(name) && typeof value === 'string' && !value.includes('\0')
            ? [[name, value.slice(0, MAX_TEXT)]]
            : [],
        ),
      ),
    });
  }
}

/** Of the system, else the one for all. */
function commandOn(
  system: HookSystem,
  { command, windows, linux, osx, bash, powershell }: Entry,
): HookCommand | undefined {
  if (system === 'windows') {
    const own = windows ?? command;
    if (own !== undefined) return { text: own, shell: 'cmd' };
    return powershell === undefined ? undefined : { text: powershell, shell: 'powershell' };
  }
  const own = (system === 'linux' ? linux : osx) ?? command;
  if (own !== undefined) return { text: own, shell: 'sh' };
  return bash === undefined ? undefined : { text: bash, shell: 'bash' };
}

/** Names in camelCase that are no other spelling of the same. */
const camelNames: Readonly<Record<string, HookEvent>> = {
  userPromptSubmitted: 'UserPromptSubmit',
  agentStop: 'Stop',
};

function eventNamed(name: string): { readonly event: HookEvent; readonly isCamel: boolean } | undefined {
  const event = HOOK_EVENTS.find((each) => each === name);
  if (event) return { event, isCamel: false };
  const other =
    (Object.hasOwn(camelNames, name) ? camelNames[name] : undefined) ??
    HOOK_EVENTS.find((each) => each.charAt(0).toLowerCase() + each.slice(1) === name);
  return other && { event: other, isCamel: true };
}

function isMatcher(matcher: string): boolean {
  return isForAll(matcher) || isListOfNames(matcher) || expressionOf(matcher) !== undefined;
}

function isForAll(matcher: string): boolean {
  return matcher === '' || matcher === '*';
}

function isListOfNames(matcher: string): boolean {
  return /^[\w|, -]+$/u.test(matcher);
}

function expressionOf(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher, 'u');
  } catch {
    return undefined;
  }
}

/**
 * Whether a hook is for one of these names: a list of names, each whole, or an expression that a part of one matches.
 * @param names of a tool, or the kind of the event
 */
export function isMatched(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || isForAll(matcher)) return true;
  if (isListOfNames(matcher)) {
    const wanted = matcher.split(/[|,]/u).map((each) => each.trim());
    return names.some((name) => wanted.includes(name));
  }
  const expression = expressionOf(matcher);
  return expression !== undefined && names.some((name) => expression.test(name));
}
