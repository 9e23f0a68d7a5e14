import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isNotified,
  LONG_MS,
  type Attendance,
  type RunMoment,
  type RunNotices,
} from '../../../src/extension/chat/runNoticePolicy.ts';

const ended: RunMoment = {
  kind: 'ended',
  duration: LONG_MS,
  hasUsedTools: false,
  isSideQuestion: false,
  goesOn: false,
};
const away: Attendance = { isFocused: false, isShown: true };
const elsewhere: Attendance = { isFocused: true, isShown: false };
const there: Attendance = { isFocused: true, isShown: true };

describe('the notification of a run', () => {
  it('is for who is in another window, or has the chat out of sight', () => {
    assert.ok(isNotified(ended, away, 'whenUnattended'));
    assert.ok(isNotified(ended, elsewhere, 'whenUnattended'));
    assert.ok(!isNotified(ended, there, 'whenUnattended'));
    assert.ok(isNotified(ended, there, 'always'));
  });

  it('is left out of short answers without tools, but not of what failed or waits', () => {
    const short = { ...ended, duration: LONG_MS - 1 };
    assert.ok(!isNotified(short, away, 'whenUnattended'));
    assert.ok(isNotified({ ...short, hasUsedTools: true }, away, 'whenUnattended'));
    for (const kind of ['failed', 'waits', 'asks'] as const) {
      assert.ok(isNotified({ ...short, kind }, away, 'whenUnattended'), kind);
    }
  });

  it('waits for the end of all that the chat is at, but for what asks', () => {
    assert.ok(!isNotified({ ...ended, goesOn: true }, away, 'always'));
    assert.ok(!isNotified({ ...ended, kind: 'failed', goesOn: true }, away, 'always'));
    assert.ok(isNotified({ ...ended, kind: 'asks', goesOn: true }, away, 'whenUnattended'));
  });

  it('is never of what the user stopped, of a side question in view, or where nobody wants any', () => {
    const moment = fc.record<RunMoment>({
      kind: fc.constantFrom('ended', 'failed', 'stopped', 'waits', 'asks'),
      duration: fc.nat(100_000),
      hasUsedTools: fc.boolean(),
      isSideQuestion: fc.boolean(),
      goesOn: fc.boolean(),
    });
    const attendance = fc.record<Attendance>({ isFocused: fc.boolean(), isShown: fc.boolean() });
    const when = fc.constantFrom<RunNotices>('whenUnattended', 'always', 'never');
    fc.assert(
      fc.property(moment, attendance, when, (of, at, wanted) => {
        assert.ok(!isNotified(of, at, 'never'));
        assert.ok(!isNotified({ ...of, kind: 'stopped' }, at, wanted));
        assert.ok(!isNotified({ ...of, isSideQuestion: true }, there, wanted));
        assert.ok(!isNotified(of, there, 'whenUnattended'));
      }),
    );
  });
});
