import { describe, expect, test } from 'vitest';
import { allStates, disqualifiedStates } from '../../src/model/rules/submit-rules.ts';
import {
  opensPartnerTab,
  type SentLead,
  thankYouQuery,
} from '../../src/model/visit/after-submit.ts';
import { createCheckPhone } from '../../src/server/checks/check-contact.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';
import { surveyOf, surveyRows } from './survey-rows.ts';
import {
  flowsThatCheckPhoneLengthOnly,
  flowsThatRedirectOnSuccess,
  flowsWithDisqualifiedScreen,
  flowsWithoutLead,
  flowsWithoutPartnerTab,
  flowsWithSpecialStateList,
  limits,
  mostPopulousStates,
  partnerTabExceptions,
  pathsWithInactivePhone,
  states,
  thankYouRow,
} from './tables.ts';

const rows = surveyRows.filter(({ flow }) => !flowsWithoutLead.includes(flow));

const qualified: SentLead = { qualified: true, answers: {}, affid: '1' };
const atFault: SentLead = { qualified: false, answers: { at_Fault: 'yes' }, affid: '1' };
const withLawyer: SentLead = {
  qualified: false,
  answers: { with_Lawyer: 'yes', lawyer_redirect_reason: 'have_attorney|yes' },
  affid: '1',
};

describe('the thank-you query', () => {
  function queryOf(
    { survey, data }: (typeof rows)[number],
    lead: SentLead,
    level = '',
  ): Record<string, string> {
    const body = { email: 'a@b.example', sub_id: 'abc', dq_reason: 'the|reason' };
    const page = { search: '', referer: 'https://ads.example/', level };
    const query = thankYouQuery(survey, data.submit?.thankYou, { ...lead, affid: '7' }, body, page);
    return Object.fromEntries(new URLSearchParams(query));
  }

  test.each(rows)('of $path has the fields of the specification', (row) => {
    const { fields, reason, qualifiedYes, referer } = thankYouRow(row.flow);
    const all = [...fields, ...(row.language === 'es' ? ['lang'] : [])];
    if (referer) all.push('referer');
    const withReason = [...all, 'is_disqualified', 'dq_reason'];

    const yes = queryOf(row, qualified);
    expect(Object.keys(yes).toSorted()).toEqual(
      [...all, ...(qualifiedYes ? ['qualified'] : [])].toSorted(),
    );
    const no = queryOf(row, atFault);
    expect(Object.keys(no).toSorted()).toEqual((reason === 'always' ? withReason : all).toSorted());
    const lawyer = queryOf(row, withLawyer);
    expect(Object.keys(lawyer).toSorted()).toEqual(
      (reason === 'never' ? all : withReason).toSorted(),
    );
    if (fields.includes('q')) expect([yes.q, no.q, lawyer.q]).toEqual(['y', 'n', 'n']);
    if (qualifiedYes) expect(yes.qualified).toBe('yes');
    if (row.language === 'es') expect(no.lang).toBe('es');
    if (reason !== 'never') {
      expect(lawyer).toMatchObject({ is_disqualified: 'true', dq_reason: 'the|reason' });
    }
  });

  test.each(rows)(
    'of $path has the compensation level unless the flow is the one-page form',
    (row) => {
      const { cl } = queryOf(row, qualified, '4');
      expect(cl).toBe(row.flow === 'one-page' ? undefined : '4');
    },
  );
});

describe('the partner tab', () => {
  test.each(surveyRows)(
    'of $path opens only for disqualified visitors',
    ({ flow, survey, data }) => {
      const opens = (lead: SentLead) => opensPartnerTab(survey, data.submit?.partnerTab, lead);
      expect(opens(qualified)).toBe(false);
      expect(opens(withLawyer)).toBe(!flowsWithoutPartnerTab.includes(flow));
    },
  );

  test.each(partnerTabExceptions)(
    'opens according to the rules for the flow and the affiliate',
    (flow, affid, answers, opens) => {
      const { survey, data } = surveyOf(flow);
      const lead = { qualified: false, answers, affid };
      expect(opensPartnerTab(survey, data.submit?.partnerTab, lead)).toBe(opens);
    },
  );

  test.each(surveyRows)(
    'of $path does not open in the US states that the specification lists',
    ({ flow, data }) => {
      const expected = flowsWithSpecialStateList.includes(flow)
        ? mostPopulousStates.split(' ')
        : [];
      expect(disqualifiedStates(data.submit, undefined, []).toSorted()).toEqual(
        expected.toSorted(),
      );
    },
  );

  test('is configured only in the flows of the specification', () => {
    const found = surveyRows.filter(({ data }) => data.submit?.partnerTab).map(({ flow }) => flow);
    const told = new Set(partnerTabExceptions.map(([flow]) => flow));
    expect(new Set(found)).toEqual(told);
  });
});

test.each(surveyRows)(
  'the survey $path redirects only after a successful post if the specification says so',
  ({ flow, survey, data: { submit } }) => {
    expect(survey.redirectsOnSuccess).toBe(flowsThatRedirectOnSuccess.includes(flow));
    expect(submit?.disqualifiedStep !== undefined).toBe(flowsWithDisqualifiedScreen.includes(flow));
  },
);

describe('the US states with a special disqualification', () => {
  test.each(surveyRows)(
    'of $path are the US states in the specification',
    ({ flow, data: { submit } }) => {
      const expected = flowsWithSpecialStateList.includes(flow)
        ? mostPopulousStates.split(' ')
        : states;
      expect(disqualifiedStates(submit, undefined, allStates).toSorted()).toEqual(
        expected.toSorted(),
      );
    },
  );

  test('are 25 US states in the flows with a shorter list', () => {
    expect(new Set(mostPopulousStates.split(' ')).size).toBe(25);
  });
});

describe('the phone check', () => {
  const report = {
    success: true,
    message: '',
    valid: true,
    active: true,
    fraud_score: limits.fraudScore as number,
    line_type: 'Wireless',
  };

  test.each(rows)(
    'at $path refuses a phone number outside the US numbering plan unless the flow is the short form',
    async ({ flow, path }) => {
      const { post, lead } = testAcceptLead();
      await post(testLead({ survey: path, phone: '1234567890' }));
      expect(lead().fields.phone).toBe(
        flowsThatCheckPhoneLengthOnly.includes(flow) ? '1234567890' : '',
      );
    },
  );

  test.each(surveyRows)(
    'at $path returns inactive only if the specification lists the path',
    async ({ path }) => {
      const answer = await createCheckPhone(async () => report)('2125550123', path);
      const forced = { valid: true, active: false, forced: true };
      const isForced = pathsWithInactivePhone.includes(path);
      expect(answer).toEqual(isForced ? forced : { valid: true, active: true });
    },
  );

  test('refuses a toll-free phone number', async () => {
    const valid = async (change: Partial<typeof report>) =>
      (await createCheckPhone(async () => ({ ...report, ...change }))('2125550123', '/f')).valid;
    expect(await valid({})).toBe(true);
    expect(await valid({ fraud_score: limits.fraudScore + 1 })).toBe(false);
    expect(await valid({ line_type: 'Toll Free' })).toBe(false);
  });
});
