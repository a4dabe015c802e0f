import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answers } from '../fields/answers.ts';
import { type AskedFieldName, askedFields } from '../fields/asked-fields.ts';
import { addDays, formatIso } from '../fields/dates.ts';
import type { DeriveInput } from '../rules/derive-fields.ts';
import { deriveLead, routeLead } from './decide.ts';

const today = { year: 2025, month: 6, day: 15 };

const daysAgo = (days: number): Answers => {
  const [injury_year, injury_month, injury_day] = formatIso(addDays(today, -days)).split('-');
  return { injury_year: injury_year!, injury_month: injury_month!, injury_day: injury_day! };
};

const good: Answers = {
  at_Fault: 'no',
  physical_injury: 'Yes',
  doctor_treatment: 'yes',
  with_Lawyer: 'no',
  case_description: 'I was hit from behind at a red light.',
  state: 'NY',
  ...daysAgo(100),
};

const derive = (answers: Answers, change: Partial<DeriveInput> = {}) =>
  deriveLead({
    answers,
    today,
    rules: { appendsHitAndRun: true },
    settings: { partialFaultStates: ['NY', 'TX'], limitation: 'coded', forcesTreatment: true },
    checks: { is_gibberish: 'no', bad_words: 'no' },
    ...change,
  });

it('deriveLead does not apply the 15-day rule if the setting forcesTreatment is off', () => {
  const settings = { partialFaultStates: [], limitation: 'coded', forcesTreatment: false } as const;
  const { fields } = derive({ ...good, ...daysAgo(3), physical_injury: 'No' }, { settings });
  expect(fields.dq_reason).toBe('physical_injury|No');
});

it('deriveLead changes partial fault to no fault in the states of partialFaultStates', () => {
  const answers = { ...good, at_Fault: 'yes', partial_fault: 'yes' };
  const listed = derive(answers);
  expect(listed.fields.at_Fault).toBe('no');
  expect(listed.decision.qualified).toBe(true);
  expect(listed.overrides).toEqual([
    { field: 'at_Fault', answered: 'yes', becomes: 'no', rule: 'fault.partial' },
  ]);
  expect(derive({ ...answers, state: 'AL' }).decision.dq_reason).toBe('at_Fault|yes');
  expect(derive({ ...answers, partial_fault: 'no' }).decision.dq_reason).toBe('at_Fault|yes');
  const { state: _, ...stateless } = answers;
  const unknown = derive(stateless);
  expect(unknown.fields.at_Fault).toBe('yes');
  expect(unknown.rules).toContainEqual(
    expect.objectContaining({ rule: 'fault.partial', result: 'state not known' }),
  );
});

it('deriveLead appends text to the description only after a hit and run', () => {
  const text = good.case_description!;
  const run = { ...good, hit_and_run: 'yes', hit_and_run_identified: 'yes' };
  const { fields, overrides } = derive(run, { checks: { is_gibberish: 'no', bad_words: 'yes' } });
  expect(fields.case_description).toBe(`${text} -- the driver was identified`);
  expect(overrides.map((each) => each.field)).toEqual(['case_description', 'bad_words']);
  const { case_description } = fields;
  expect(derive({ ...run, case_description }).fields.case_description).toBe(case_description);
  expect(derive({ ...run, hit_and_run: 'no' }).fields.case_description).toBe(text);
  expect(derive(run, { rules: {} }).fields.case_description).toBe(text);
});

it('deriveLead qualifies an at-fault lead of the DUI flow unless the limitation period is over', () => {
  const rules = { clearsRejectionsAfter: 'prior_alcohol_related_offense' } as const;
  const { doctor_treatment, physical_injury, ...branch } = good;
  const atFault = { ...branch, at_Fault: 'yes', prior_alcohol_related_offense: 'no' };
  const cleared = derive(atFault, { rules });
  expect(cleared.decision).toEqual({ qualified: true, dq_reason: '' });
  expect(cleared.fields).toMatchObject({ dq_reason: '', lead_is_qualified: 'no' });
  expect(cleared.rules).toContainEqual({
    rule: 'qualification.at_Fault',
    inputs: { at_Fault: 'yes' },
    result: 'cleared',
  });
  const old = derive({ ...atFault, ...daysAgo(5000) }, { rules });
  expect(old.decision.dq_reason).toBe('date|accident_limit_exceeded');
  const { prior_alcohol_related_offense, ...other } = atFault;
  expect(derive(other, { rules }).decision.dq_reason).toBe('at_Fault|yes');
  expect(derive(atFault).decision.dq_reason).toBe('at_Fault|yes');
});

it('deriveLead never returns a decision that contradicts the derived fields', () => {
  const odd = ['', 'x', '\0', '2025', '2023', '06', '15', '31'];
  const values = (name: AskedFieldName) =>
    fc.constantFrom(...(askedFields[name].values ?? []), ...odd);
  const names = Object.keys(askedFields) as AskedFieldName[];
  const answers = fc.record(Object.fromEntries(names.map((name) => [name, values(name)])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(answers, (given) => {
      const { fields, decision, overrides } = derive(given as Answers);
      expect(fields.accident_limit_exceeded).toMatch(/^[01]$/);
      expect(fields.dq_reason).toBe(decision.dq_reason);
      expect(decision.qualified).toBe(decision.dq_reason === '');
      if (fields.lead_is_qualified !== 'no') expect(decision.qualified).toBe(true);
      for (const each of overrides) expect(fields[each.field]).toBe(each.becomes);
    }),
  );
});

it('routeLead replaces the offer id of a disqualified lead from a special state', () => {
  const derived = {
    decision: { qualified: false, dq_reason: 'at_Fault|yes' },
    fields: { do_not_send_to_dq: 'no' },
  };
  const rules = { specialStates: ['NY'] };
  expect(routeLead({ oid: '81', affid: '7' }, derived, 'NY', undefined, rules)).toMatchObject({
    leadSource: '81',
    fields: { oid: '1500', affid: '1000350', original_oid: '81', original_affid: '7' },
    changes: [
      { field: 'oid', answered: '81', becomes: '1500', rule: 'routing.special_state' },
      { field: 'affid', answered: '7', becomes: '1000350', rule: 'routing.special_state' },
    ],
    rule: {
      rule: 'routing.special_state',
      inputs: { state: 'NY', qualified: 'no', do_not_send_to_dq: 'no' },
      result: true,
    },
  });
});
