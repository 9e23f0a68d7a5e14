import assert from 'node:assert/strict';
import { readAddress } from '../../../src/extension/storage/sharedAddress.ts';

describe('the address of a shared store', () => {
  it('says who one is, and where', () => {
    const text = 'postgres://ana@db.example.com/offshoot';
    assert.deepEqual(readAddress(` ${text}\n`).address, {
      text,
      role: 'ana',
      host: 'db.example.com',
      database: 'offshoot',
    });
    assert.equal(readAddress('postgresql://a%40b@[::1]:5433/x?sslmode=disable').address?.role, 'a@b');
    assert.equal(readAddress('postgresql://ana@[::1]:5433/x').address?.host, '[::1]:5433');
    assert.equal(readAddress('postgres://ana@%2Frun%2Fpostgresql/x').address?.host, 'localhost');
  });

  const problems: readonly (readonly [string, string])[] = [
    ['', 'shape'],
    ['db.example.com', 'shape'],
    ['mysql://ana@db/x', 'shape'],
    ['postgres://ana@db:port/x', 'shape'],
    ['postgres://ana:secret@db/x', 'password'],
    ['postgres://ana@db/x?sslmode=require&password=secret', 'password'],
    ['postgres://db.example.com/x', 'role'],
    ['postgres://%ff@db.example.com/x', 'role'],
    ['postgres://ana@db', 'database'],
    ['postgres://ana@db/', 'database'],
    ['postgres://ana@db/x/y', 'database'],
  ];
  for (const [text, problem] of problems) {
    it(`refuses ${JSON.stringify(text)}: ${problem}`, () => {
      assert.deepEqual(readAddress(text), { problem });
    });
  }
});
