import { describe, expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';

const { lead_id } = testLead();

/** A held lead that an operator has released, and posts of its own browser. */
async function releasedLead(given: Record<string, unknown>, options = {}) {
  const test = testAcceptLead(options);
  if ('perHour' in options) {
    const other = '01939999-1111-7111-8111-000000000009';
    await test.post(testLead({ lead_id: other, email: 'a@b.example' }));
  }
  await test.post(testLead(given));
  expect(test.lead().state).toBe('held');
  test.revisions().splice(0, 1, { ...test.lead(), state: 'accepted' });
  const reasons = () =>
    test.lead().problems.flatMap(({ problem, reason }) => (problem === 'held' ? [reason] : []));
  return { ...test, reasons };
}

describe('a released lead', () => {
  it('stays released where nothing changes that it was held for', async () => {
    const { post, lead, reasons } = await releasedLead({ tcpa: '' }, { perHour: 1 });
    for (const n of [1, 2, 3]) {
      await post({ lead_id, sub_id2: `later-${n}` });
      expect(lead()).toMatchObject({ state: 'accepted', revision: n + 1 });
      expect(lead().deliveries).toMatchObject([{ state: 'waiting' }]);
      expect(reasons()).toEqual(['over_address_limit', 'no_consent']);
    }
  });

  it.each([
    [
      'its phone, by an invented consent',
      { phone: '' },
      { tcpa: 'I agree.' },
      'consent_other_text',
    ],
    ['its consent, by another one', { tcpa: 'Fine.' }, { tcpa: 'I agree.' }, 'consent_other_text'],
    ['its consent, by a broken phone', { tcpa: 'Fine.' }, { phone: '12' }, 'no_usable_phone'],
    ['its phone, by another broken one', { phone: '12' }, { phone: '13' }, 'no_usable_phone'],
    [
      'its consent, by another person’s number',
      { tcpa: 'Fine.' },
      { phone: '(212) 555-0188' },
      'consent_other_text',
    ],
    [
      'no consent, by another person’s address',
      { tcpa: '' },
      { email: 'eve@mail.example' },
      'no_consent',
    ],
  ])('that was held for %s, is held again', async (_, first, later, reason) => {
    const { post, lead, reasons } = await releasedLead(first);
    await post(testLead({ ...first, ...later }));
    expect(lead()).toMatchObject({ state: 'held', revision: 2 });
    expect(lead().deliveries).toMatchObject([{ state: 'held' }]);
    expect(reasons()).toContain(reason);
    // What an operator has not looked at stays held, whatever is posted beside it.
    await post({ lead_id, sub_id2: 'x' });
    expect(lead()).toMatchObject({ state: 'held', revision: 3 });
  });

  it('of an address over its limit is held again where it becomes another person’s', async () => {
    const { post, lead, reasons } = await releasedLead({}, { perHour: 1 });
    await post(testLead({ email: 'somebody.else@mail.example' }));
    expect(lead().state).toBe('held');
    expect(reasons()).toEqual(['over_address_limit']);
  });

  it('goes on by itself when the post brings what was missing', async () => {
    const { post, lead, reasons } = await releasedLead({ tcpa: '' });
    await post(testLead(publishedTcpa()));
    expect(lead()).toMatchObject({ state: 'accepted', revision: 2 });
    expect(reasons()).toEqual([]);
  });
});
