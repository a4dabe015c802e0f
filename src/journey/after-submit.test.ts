import { describe, expect, test } from 'vitest';
import { thankYouQuery } from '../domain/thank-you.ts';
import { surveyAt } from '../flows/surveys.ts';
import { opensPartnerTab, type SentLead, thankYouOptions } from './after-submit.ts';

const lead = (change: Partial<SentLead> = {}): SentLead => ({
  qualified: false,
  answers: {},
  affid: '1',
  ...change,
});
const open = { opensPartnerTab: true };
const reasons = ['have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'];
const vw3 = { onlyReasons: reasons, exceptAffiliates: ['20', '23'] };

describe('partner tab (docs/specification.md#partner-tab)', () => {
  test('opens for disqualified visitors if the survey has a partner page', () => {
    expect(opensPartnerTab(open, undefined, lead())).toBe(true);
    expect(opensPartnerTab(open, undefined, lead({ qualified: true }))).toBe(false);
    expect(opensPartnerTab({ opensPartnerTab: false }, undefined, lead())).toBe(false);
  });

  test.each(reasons)('VW3: opens for %s, unless affid is 20 or 23', (lawyer_redirect_reason) => {
    const answers = { lawyer_redirect_reason };
    expect(opensPartnerTab(open, vw3, lead({ answers }))).toBe(true);
    expect(opensPartnerTab(open, vw3, lead({ answers, affid: '21' }))).toBe(true);
    for (const affid of ['20', '23']) {
      expect(opensPartnerTab(open, vw3, lead({ answers, affid }))).toBe(false);
    }
  });

  test('VW3: does not open for another reason', () => {
    expect(opensPartnerTab(open, vw3, lead({ answers: { at_Fault: 'yes' } }))).toBe(false);
  });

  test('DUI branch: does not open after a prior offence', () => {
    const dui = { exceptWhenYes: 'prior_alcohol_related_offense' } as const;
    const answered = (value: string) => lead({ answers: { prior_alcohol_related_offense: value } });
    expect(opensPartnerTab(open, dui, answered('yes'))).toBe(false);
    expect(opensPartnerTab(open, dui, answered('no'))).toBe(true);
    expect(opensPartnerTab(open, dui, lead())).toBe(true);
  });
});

describe('thank-you query', () => {
  const en = { language: 'en', thankYouReason: false } as const;
  const more = { referer: 'https://ads.example/', compensationLevel: '' };
  const fields = {
    email: 'a@b.example',
    zip_code: '75201',
    affid: '7',
    sub_id: 'abc',
    dq_reason: 'have_attorney|yes',
  };
  const query = (...given: Parameters<typeof thankYouOptions>) =>
    Object.fromEntries(new URLSearchParams(thankYouQuery(fields, thankYouOptions(...given))));

  test('has only q by default, lang on Spanish surveys and cl with the meter', () => {
    const plain = query(en, undefined, lead(), more);
    expect(plain).toMatchObject({ email: 'a@b.example', q: 'n' });
    for (const name of ['is_disqualified', 'dq_reason', 'qualified', 'referer', 'lang', 'cl']) {
      expect(plain).not.toHaveProperty(name);
    }
    expect(
      query({ ...en, language: 'es' }, undefined, lead({ qualified: true }), more),
    ).toMatchObject({ q: 'y', lang: 'es' });
    expect(query(en, undefined, lead(), { ...more, compensationLevel: '4' }).cl).toBe('4');
  });

  test('VW3: has is_disqualified and dq_reason after a lawyer answer', () => {
    const rules = { reason: 'lawyer' } as const;
    const answers = { lawyer_redirect_reason: 'have_attorney|yes' };
    expect(query(en, rules, lead({ answers }), more)).toMatchObject({
      q: 'n',
      is_disqualified: 'true',
      dq_reason: 'have_attorney|yes',
    });
    expect(query(en, rules, lead(), more)).not.toHaveProperty('is_disqualified');
    expect(query(en, rules, lead({ qualified: true }), more)).not.toHaveProperty('dq_reason');
  });

  test('one medical-treatment variant always has the reason', () => {
    const survey = { ...en, thankYouReason: true };
    expect(query(survey, undefined, lead(), more).is_disqualified).toBe('true');
    expect(query(survey, undefined, lead({ qualified: true }), more)).not.toHaveProperty(
      'is_disqualified',
    );
    expect(surveyAt('/survey/v2')?.thankYouReason).toBe(true);
    expect(surveyAt('/survey/ig')?.thankYouReason).toBe(false);
  });

  test('progress-bar: qualified=yes; three-step: referer; ticket: ends with affid and sub_id', () => {
    expect(query(en, { qualifiedYes: true }, lead({ qualified: true }), more).qualified).toBe(
      'yes',
    );
    expect(query(en, { referer: true }, lead(), more).referer).toBe('https://ads.example/');
    const ticket = query(en, { decision: false }, lead(), more);
    expect(Object.keys(ticket).slice(-2)).toEqual(['affid', 'sub_id']);
  });

  test('one-page: has only affid, sub_id and q', () => {
    const given = { ...more, compensationLevel: '4' };
    expect(query({ ...en, language: 'es' }, { contact: false }, lead(), given)).toEqual({
      affid: '7',
      sub_id: 'abc',
      q: 'n',
    });
  });
});
