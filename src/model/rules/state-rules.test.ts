import { describe, expect, it } from 'vitest';
import { parseIso } from '../fields/dates.ts';
import {
  callHours,
  closedStates,
  type StateRuleChange,
  type StateRuleSettings,
  saleDecisions,
  saleRuling,
  stateRules,
} from './state-rules.ts';

const defaults: StateRuleSettings = { changes: {}, undecided: 'deliver' };
const day = (text: string) => parseIso(text)!;
const today = day('2026-11-28');
const changed = (state: string, ...changes: StateRuleChange[]): StateRuleSettings => ({
  ...defaults,
  changes: { [state]: changes },
});

function rule(states: string, settings = defaults, on = today, hasChosenFirm = false) {
  const list = states.split(' ').filter(Boolean);
  return saleRuling({ states: list, day: on, hasChosenFirm }, settings);
}

describe('the table', () => {
  it('has a readable source, real days and one sentence in each row, and each id once', () => {
    for (const row of stateRules) {
      for (const each of [row.from, row.until, row.checkedOn]) {
        if (each !== undefined) expect(parseIso(each), row.id).toBeDefined();
      }
      expect(row.requires, row.id).toMatch(/^[A-Z].*\.$/);
      expect(URL.canParse(row.url) && row.source !== '', row.id).toBe(true);
      expect([undefined, ...saleDecisions], row.id).toContain(row.decision);
      expect(row.topic === 'contact_hours', row.id).toBe(row.hours !== undefined);
    }
    const ids = stateRules.map((row) => `${row.id} ${row.from}`);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the ruling on a sale', () => {
  it.each([
    ['CO', '2026-08-11', 'allowed', true, undefined],
    ['CO', '2026-08-12', 'named_firm_only', false, 'CO.sale_of_leads'],
    ['CA', '2025-12-31', 'allowed', true, undefined],
    ['CA', '2026-01-01', 'needs_basis', true, 'CA.sale_of_leads'],
    ['TX', '2026-11-28', 'allowed', true, 'TX.sale_of_leads'],
    ['OH', '2026-11-28', 'allowed', true, undefined],
    ['', '2026-11-28', 'allowed', true, undefined],
  ])('decides %s on %s as %s', (states, on, decision, maySell, id) => {
    const ruling = rule(states, defaults, day(on));
    expect(ruling).toMatchObject({ decision, maySell });
    expect(ruling.rule?.id).toBe(id);
  });

  it('takes the stricter of the two states', () => {
    expect(rule('CA CO')).toMatchObject({ state: 'CO', decision: 'named_firm_only' });
    expect(rule('CO OH')).toMatchObject({ state: 'CO', maySell: false });
  });

  it('refuses the sale if one of the two states refuses it', () => {
    const hold = { ...defaults, undecided: 'hold' } as const;
    expect(rule('CO CA', hold, today, true)).toMatchObject({ state: 'CA', maySell: false });
  });

  it('allows a sale to a chosen firm unless the sale is prohibited', () => {
    expect(rule('CO', defaults, today, true).maySell).toBe(true);
    const prohibited = changed('CO', { decision: 'prohibited', reason: 'Counsel said so' });
    expect(rule('CO', prohibited, today, true).maySell).toBe(false);
  });

  it('replaces the decision by the newest change of the day', () => {
    const settings = changed(
      'CA',
      { decision: 'prohibited', reason: 'No certificate yet' },
      { decision: 'allowed', from: '2026-11-28', until: '2027-11-28', reason: 'Certified' },
    );
    expect(rule('CA', settings, day('2026-11-27'))).toMatchObject({ maySell: false });
    expect(rule('CA', settings)).toMatchObject({ maySell: true, change: { reason: 'Certified' } });
    expect(rule('CA', settings, day('2027-11-28'))).toMatchObject({ decision: 'prohibited' });
  });

  it('holds undecided leads if the operator says so', () => {
    expect(rule('CA', { ...defaults, undecided: 'hold' }).maySell).toBe(false);
  });
});

it('closes the states whose leads may not be sold without a chosen firm', () => {
  expect(closedStates(today, defaults)).toEqual(['CO']);
  expect(closedStates(day('2026-08-11'), defaults)).toEqual([]);
  const settings = changed('OH', { decision: 'prohibited', reason: 'Counsel said so' });
  expect(closedStates(today, { ...settings, undecided: 'hold' })).toEqual(['CA', 'CO', 'OH']);
});

it('gives the hours for calls of a state, or else the federal hours', () => {
  expect(callHours('FL', today)).toEqual({ from: '08:00', until: '20:00' });
  expect(callHours('AL', today)).toEqual({ from: '08:00', until: '20:00', sunday: 'none' });
  const federal = { from: '08:00', until: '21:00' };
  expect(callHours('OH', today)).toEqual(federal);
  expect(callHours(undefined, today)).toEqual(federal);
  expect(callHours('FL', day('2021-06-30'))).toEqual(federal);
});
