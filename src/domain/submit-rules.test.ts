import { describe, expect, test } from 'vitest';
import { submitFields } from './submit-rules.ts';

const fields = {
  oid: '81',
  affid: '12',
  landing_page: 'https://site.example',
  leadid_token: 'token',
  injury_year: '2026',
  injury_month: '03',
  injury_day: '09',
  state_long: 'Texas',
};

describe('submitFields', () => {
  test('returns a copy of the fields if there are no rules', () => {
    const { fields: posted, changes } = submitFields(fields, undefined);
    expect(posted).toEqual(fields);
    expect(posted).not.toBe(fields);
    expect(changes).toEqual([]);
  });

  test('reroutes after a yes, and keeps the original ids', () => {
    const reroute = { whenYes: 'prior_alcohol_related_offense', oid: '136', affid: '1' } as const;
    const { fields: posted, changes } = submitFields(
      { ...fields, prior_alcohol_related_offense: 'Yes' },
      { reroute },
    );
    expect(posted).toMatchObject({
      oid: '136',
      affid: '1',
      original_oid: '81',
      original_affid: '12',
    });
    expect(changes).toEqual([
      { field: 'oid', answered: '81', becomes: '136', rule: 'routing.after_yes' },
      { field: 'affid', answered: '12', becomes: '1', rule: 'routing.after_yes' },
    ]);
    const no = submitFields({ ...fields, prior_alcohol_related_offense: 'no' }, { reroute });
    expect(no.fields).toMatchObject({ oid: '81', affid: '12' });
    expect(no.fields).not.toHaveProperty('original_oid');
    expect(no.changes).toEqual([]);
  });

  test('keeps the click’s id as the original, not the survey’s', () => {
    const { fields: posted } = submitFields(
      { ...fields, oid: '999', original_oid: '81', prior_alcohol_related_offense: 'yes' },
      { reroute: { whenYes: 'prior_alcohol_related_offense', oid: '136', affid: '1' } },
    );
    expect(posted).toMatchObject({ oid: '136', original_oid: '999' });
  });

  test('copies fields before it removes any, so that they can be renamed', () => {
    const { fields: posted } = submitFields(fields, {
      copies: { landing_page_url: 'landing_page', jornaya_leadid: 'leadid_token', lp_s2: 'none' },
      removes: ['landing_page', 'not_there'],
    });
    expect(posted).toMatchObject({
      landing_page_url: 'https://site.example',
      jornaya_leadid: 'token',
      leadid_token: 'token',
      lp_s2: '',
    });
    expect(posted).not.toHaveProperty('landing_page');
  });

  test('sets no date_accident_occurred if the date is unknown', () => {
    const { injury_day, ...noDay } = fields;
    const { fields: posted } = submitFields(noDay, { dateAccidentOccurred: true });
    expect(posted).not.toHaveProperty('date_accident_occurred');
  });
});
