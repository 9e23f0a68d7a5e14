import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isPublicAddress, isPublicHost } from '../../../src/host/publicAddresses.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** Ranges of IPv4 that are not the public network, by their first address and the bits that are the same. */
const PRIVATE_RANGES: readonly (readonly [string, number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ] as const),
  ...([
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
];

const number = (address: string): number =>
  address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const octets = (value: number): number[] => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256);
const dotted = (value: number): string => octets(value).join('.');

const privateV4 = fc
  .constantFrom(...PRIVATE_RANGES)
  .chain(([first, bits]) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => number(first) + offset),
  );

const anyV4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** The ways in which a URL may write an address of IPv4. */
const written = (value: number): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = octets(value);
  return [
    dotted(value),
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    `${a}.${value % 2 ** 24}`,
    `${a}.${b}.${value % 2 ** 16}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
    `${dotted(value)}.`,
  ];
};

/** The ways in which an address of IPv6 may stand for one of IPv4. */
const translated = (value: number): string[] => {
  const hex = octets(value).map((octet) => octet.toString(16).padStart(2, '0'));
  const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
  return [
    `::ffff:${dotted(value)}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
  ];
};

const groups = (count: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: count, maxLength: count })
    .map((values) => values.map((value) => value.toString(16)).join(':'));

const privateV6 = fc.oneof(
  fc.tuple(
    fc.constantFrom('fc00', 'fd12', 'fdff', 'fe80', 'febf', 'fec0', 'ff02', 'ff0e', '100', '5f00', '4000'),
    groups(7),
  ),
  fc.tuple(fc.constantFrom('2001:db8', '2001:2', '2001:10', '2001:20', '3fff:1', '2001:0'), groups(6)),
);

describe('addresses that are not the public network', () => {
  it('are refused in every way that they may be written (fuzz)', () => {
    fc.assert(
      fc.property(privateV4, (value) => {
        for (const host of written(value)) {
          const { hostname } = new URL(`http://${host}/`);
          assert.equal(isPublicHost(hostname), false, `${host} as ${hostname}`);
        }
        assert.equal(isPublicAddress(dotted(value)), false);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('are refused where IPv6 stands for them, as all of IPv4 is there (fuzz)', () => {
    fc.assert(
      fc.property(fc.oneof(privateV4, anyV4), (value) => {
        for (const address of translated(value)) {
          assert.equal(isPublicAddress(address), false, address);
          assert.equal(isPublicHost(new URL(`http://[${address}]/`).hostname), false, address);
        }
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('are refused in IPv6 (fuzz)', () => {
    fc.assert(
      fc.property(privateV6, (parts) => assert.equal(isPublicAddress(parts.join(':')), false)),
      { numRuns: fuzzRuns(300) },
    );
    for (const address of ['::', '::1', 'fe80::1%eth0', '2606:4700::1%1', '', 'x', '1.2.3.4/8']) {
      assert.equal(isPublicAddress(address), false, address);
    }
  });

  it('are told from those that are (fuzz)', () => {
    const isPrivate = (value: number): boolean =>
      PRIVATE_RANGES.some(
        ([first, bits]) => value >= number(first) && value < number(first) + 2 ** (32 - bits),
      );
    // Anycast services with an address of their own (RFC 7534, RFC 7535, RFC 7450).
    const isSpecial = (value: number): boolean => /^192\.(?:31\.196|52\.193|175\.48)\./u.test(dotted(value));
    fc.assert(
      fc.property(
        anyV4.filter((value) => !isSpecial(value)),
        (value) => {
          assert.equal(isPublicAddress(dotted(value)), !isPrivate(value), dotted(value));
        },
      ),
      { numRuns: fuzzRuns(1_000) },
    );
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1']) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  it('have names that say so', () => {
    for (const name of [
      ...[
        'localhost',
        'LOCALHOST',
        'a.localhost',
        'printer.local',
        'metadata.google.internal',
        'wiki',
        'router.lan',
      ],
      ...['nas.home.arpa', 'x.home', 'x.corp', 'x.intranet', 'x.private', 'localhost.', 'a.local.'],
    ]) {
      assert.equal(isPublicHost(name), false, name);
    }
    for (const name of ['example.com', 'local.example.com', 'example.com.', 'internal.dev', '8.8.8.8']) {
      assert.equal(isPublicHost(name), true, name);
    }
  });
});
