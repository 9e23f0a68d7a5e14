/**
 * A program for the kernel's filter of system calls (seccomp) that leaves a sandbox without sockets of this machine and
 * without ways around its walls. Sockets in files are found through every mount that can be read, so that only this keeps
 * programs from those of ssh-agent, docker, X11 and VS Code.
 * https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html
 */
export function socketFilter(machine: string): Uint8Array | undefined {
  const system = systems[machine];
  if (!system) return undefined;
  const { calls } = system;
  const program: Instruction[] = [
    load(ARCHITECTURE),
    ...unless(system.audit, refuse(EPERM)),
    load(NUMBER),
    // The other way to call a 64-bit Intel kernel has numbers of its own.
    ...(machine === 'x64' ? whereAtLeast(0x4000_0000, refuse(ENOSYS)) : []),
    ...where(calls.socket, [
      load(FIRST),
      ...[AF_INET, AF_INET6, AF_NETLINK].flatMap((family) => where(family, [allow])),
      refuse(EPERM),
    ]),
    // What types into the terminal for others.
    ...where(calls.ioctl, [
      load(SECOND),
      ...[TIOCSTI, TIOCLINUX].flatMap((request) => where(request, [refuse(EPERM)])),
      allow,
    ]),
    // In a namespace of its own, a process is root, and much of the kernel is open to it.
    ...[calls.unshare, calls.clone].flatMap((call) =>
      where(call, [load(FIRST), ...whereAny(CLONE_NEWUSER, refuse(EPERM)), allow]),
    ),
    // Its options are behind a pointer; programs fall back on the older call.
    ...where(calls.clone3, [refuse(ENOSYS)]),
    ...where(calls.io_uring_setup, [refuse(ENOSYS)]),
    ...calls.others.flatMap((call) => where(call, [refuse(EPERM)])),
    allow,
  ];
  return bytesOf(program);
}

interface System {
  /** How the kernel names the architecture. */
  readonly audit: number;
  readonly calls: {
    readonly socket: number;
    readonly ioctl: number;
    readonly unshare: number;
    readonly clone: number;
    readonly clone3: number;
    readonly io_uring_setup: number;
    /** setns, keyctl, add_key, request_key, bpf, userfaultfd, perf_event_open. */
    readonly others: readonly number[];
  };
}

/** By the names that Node has for them. */
const systems: Readonly<Partial<Record<string, System>>> = {
  x64: {
    audit: 0xc000_003e,
    calls: {
      socket: 41,
      ioctl: 16,
      unshare: 272,
      clone: 56,
      clone3: 435,
      io_uring_setup: 425,
      others: [308, 250, 248, 249, 321, 323, 298],
    },
  },
  arm64: {
    audit: 0xc000_00b7,
    calls: {
      socket: 198,
      ioctl: 29,
      unshare: 97,
      clone: 220,
      clone3: 435,
      io_uring_setup: 425,
      others: [268, 219, 217, 218, 280, 282, 241],
    },
  },
};

const [AF_INET, AF_INET6, AF_NETLINK] = [2, 10, 16];
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const CLONE_NEWUSER = 0x1000_0000;
const [EPERM, ENOSYS] = [1, 38];

/** Where the kernel puts what is asked of it. Both machines have the low half of an argument first. */
const [NUMBER, ARCHITECTURE, FIRST, SECOND] = [0, 4, 16, 24];

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];
const refuse = (error: number): Instruction => [0x06, 0, 0, 0x0005_0000 + error];

/** Runs the instructions where what was loaded is this value. */
const where = (value: number, then: readonly Instruction[]): Instruction[] => [
  [0x15, 0, then.length, value],
  ...then,
];
const whereAtLeast = (value: number, then: Instruction): Instruction[] => [[0x35, 0, 1, value], then];
const whereAny = (bits: number, then: Instruction): Instruction[] => [[0x45, 0, 1, bits], then];
const unless = (value: number, then: Instruction): Instruction[] => [[0x15, 1, 0, value], then];

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, whenTrue);
    bytes.setUint8(index * 8 + 3, whenFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
