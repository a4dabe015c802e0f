import { expect, it, test } from 'vitest';
import { leadFieldNames } from '../fields/lead-fields.ts';
import { type OutwardParts, outward, submitFields } from './outward.ts';

const nothing: OutwardParts = {
  posted: {},
  derived: {},
  place: {},
  routed: {},
  own: {},
  buyerList: undefined,
  removesLawyerReason: false,
  submit: undefined,
};

it('outward ignores posted fields that only the server may set', () => {
  const posted = Object.fromEntries(leadFieldNames.map((name) => [name, 'x']));
  const { fields } = outward({ ...nothing, posted });
  const set = Object.keys(fields).filter((name) => fields[name] === 'x');
  expect(set.sort()).toEqual(
    (
      'affid city click_id county ef_transaction_id fbclid gclid landing_page language ' +
      'leadid_token lp_subid1 oid page_referer state state_long sub_id sub_id2 sub_id3 sub_id4 ' +
      'tcpa time_on_steps trusted_form_cert_id trustedform_cert_url user_agent'
    ).split(' '),
  );
});

it('outward omits answers that buyers must not receive', () => {
  const derived = { zip_code: '00601', state_choice: 'NE' };
  const { fields } = outward({ ...nothing, derived, place: { state: 'NE' } });
  expect(fields).toMatchObject({ zip_code: '00601', state: 'NE' });
  expect(fields).not.toHaveProperty('state_choice');
});

it('outward removes lawyer_redirect_reason if removesLawyerReason is true', () => {
  const derived = { with_Lawyer: 'yes', lawyer_redirect_reason: 'have_attorney|yes' };
  expect(outward({ ...nothing, derived }).fields).toMatchObject(derived);
  const { fields } = outward({ ...nothing, derived, removesLawyerReason: true });
  expect(fields).not.toHaveProperty('lawyer_redirect_reason');
  expect(fields.with_Lawyer).toBe('yes');
});

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

test('submitFields stores the replaced offer id in original_oid', () => {
  const { fields: posted } = submitFields(
    { ...fields, oid: '999', original_oid: '81', prior_alcohol_related_offense: 'yes' },
    { reroute: { whenYes: 'prior_alcohol_related_offense', to: { oid: '136', affid: '1' } } },
  );
  expect(posted).toMatchObject({ oid: '136', original_oid: '999' });
});
