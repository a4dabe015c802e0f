import { expect, test } from 'vitest';
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

test('submitFields keeps the click’s id as the original, not the survey’s', () => {
  const { fields: posted } = submitFields(
    { ...fields, oid: '999', original_oid: '81', prior_alcohol_related_offense: 'yes' },
    { reroute: { whenYes: 'prior_alcohol_related_offense', oid: '136', affid: '1' } },
  );
  expect(posted).toMatchObject({ oid: '136', original_oid: '999' });
});

test('submitFields sets no date_accident_occurred if the date is unknown', () => {
  const { injury_day, ...noDay } = fields;
  const { fields: posted } = submitFields(noDay, { dateAccidentOccurred: true });
  expect(posted).not.toHaveProperty('date_accident_occurred');
});
