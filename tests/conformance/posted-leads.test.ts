import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/model/fields/answers.ts';
import { walk } from '../../src/model/flows/engine/walk.ts';
import { type Survey, surveyFacts } from '../../src/model/flows/surveys.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead, testLead, testNow } from '../support/leads.ts';
import { disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { surveyOf, surveyRows } from './survey-rows.ts';
import {
  AFFILIATE_ID_WHEN_EMPTY_AT_POST,
  blockedTerms,
  copiedAtSubmit,
  coreLeadFields,
  DEFAULT_AFFILIATE_ID,
  dateOfBirthStates,
  fixedAtSubmit,
  flowsThatNeverSendToDq,
  flowsWithoutAccident,
  flowsWithoutLead,
  forcedTreatmentDays,
  implied,
  limits,
  mostPopulousStates,
  PRIOR_OFFENCE_IDS,
  rejections,
  removedFromTicket,
  SPECIAL_STATE_IDS,
} from './tables.ts';

const today = {
  year: testNow.getUTCFullYear(),
  month: testNow.getUTCMonth() + 1,
  day: testNow.getUTCDate(),
};

const rows = surveyRows.filter(({ flow }) => !flowsWithoutLead.includes(flow));

function contextOf(survey: Survey) {
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates } };
}

function isoDaysAgo(days: number): string {
  return new Date(testNow.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

function accident(days: number): Answers {
  const [injury_year = '', injury_month = '', injury_day = ''] = isoDaysAgo(days).split('-');
  return { injury_year, injury_month, injury_day };
}

function bodyOf(survey: Survey, answers: Answers): Record<string, unknown> {
  const { lead_id, consent_shown_at, submitted_at } = testLead();
  return {
    ...answers,
    lead_id,
    ...tcpaOf(survey),
    consent_shown_at,
    submitted_at,
    survey: survey.path,
    language: survey.language,
    oid: String(survey.offerId),
    affid: String(survey.affiliateId),
    sub_id: 'abc',
    ef_transaction_id: '0123456789abcdef0123456789abcdef',
    landing_page: `https://claims.example.com${survey.path}`,
  };
}

describe('the lead of a visitor', () => {
  test.each(rows)(
    'who qualifies at $path has the fields of the specification',
    async ({ survey, data, ...row }) => {
      const context = contextOf(survey);
      const way = walk(data, qualifiedWay(data, context).answers, context);
      const { post, lead } = testAcceptLead();
      const body = { ...bodyOf(survey, way.answers), leadid_token: 'the-token' };
      expect(await post(body)).toMatchObject({ qualified: 'yes' });
      const { fields, problems, deliveries } = lead();
      expect(problems).toEqual([]);
      const removed = row.flow === 'ticket' ? removedFromTicket : [];
      const missing = coreLeadFields.filter((name) => !Object.hasOwn(fields, name));
      expect(missing.filter((name) => !removed.includes(name))).toEqual([]);
      for (const name of removed) expect(fields).not.toHaveProperty(name);
      expect(fields).toMatchObject({
        oid: String(row.offerId),
        affid: String(row.affiliateId),
        language: row.language,
        sub_id: 'abc',
        lp_subid1: 'abc',
        leadid_token: 'the-token',
        landing_page: 'https://claims.example.com',
        dq_reason: '',
        do_not_send_to_dq: 'yes',
        phone: way.answers.phone,
        email: way.answers.email,
        first_name: way.answers.first_name,
        last_name: way.answers.last_name,
        zip_code: way.answers.zip_code,
      });
      for (const name of ['accident_type', 'at_Fault', 'physical_injury', 'with_Lawyer'] as const) {
        if (way.answers[name] !== undefined) expect(fields[name]).toBe(way.answers[name]);
      }
      expect(fields).toMatchObject(fixedAtSubmit[row.flow] ?? {});
      for (const [name, source] of Object.entries(copiedAtSubmit[row.flow] ?? {})) {
        expect(fields[name], name).toBe(fields[source] ?? '');
      }
      for (const name of ['landing_page_url', 'jornaya_leadid']) {
        expect(name in fields).toBe(row.flow === 'short');
      }
      if (way.answers.injury_month !== undefined) {
        const { injury_year, injury_month } = way.answers;
        expect(fields.incident_date).toBe(`${injury_year}-${injury_month}-01`);
      }
      expect(deliveries.map((delivery) => delivery.destination)).toEqual(['ingest']);
    },
  );

  test.each(rows)(
    'who is disqualified at $path has the reason of the disqualification',
    async ({ survey, data, ...row }) => {
      const context = contextOf(survey);
      const found = disqualifiedWay(data, context);
      if (!found) throw new Error(`${row.path} asks nothing that disqualifies`);
      const way = walk(data, found.way.answers, context);
      const { post, lead } = testAcceptLead({ rules: { specialStates: ['NY'] } });
      const [[field, value] = ['', '']] = Object.entries(found.decisive);
      const reason = rejections.find(([name]) => name === field)?.[2];
      const answer = await post(bodyOf(survey, way.answers));
      expect(answer).toMatchObject({ qualified: 'no', dq_reason: reason });
      const { fields } = lead();
      expect(fields[field]).toBe(value);
      expect(fields.lead_is_qualified).toBe('no');
      if (flowsThatNeverSendToDq.includes(row.flow)) {
        expect(fields).toMatchObject({ do_not_send_to_dq: 'yes', oid: String(row.offerId) });
      } else if (flowsWithoutAccident.includes(row.flow)) {
        expect(fields).toMatchObject({ do_not_send_to_dq: 'no', oid: String(row.offerId) });
      } else {
        expect(fields).toMatchObject({ do_not_send_to_dq: 'no', ...SPECIAL_STATE_IDS });
      }
    },
  );
});

// docs/specification.md#flows lists the reasons for which a medical flow sets dq_reason.
test.each([
  ['medical-10', { at_Fault: 'yes' }, ''],
  ['medical-5', { at_Fault: 'yes', case_description: 'Hit by a truck.' }, ''],
  ['medical-10', { at_Fault: 'yes', with_Lawyer: 'yes' }, 'have_attorney|yes'],
  [
    'medical-5',
    { at_Fault: 'yes', injury_year: '2013', injury_month: '05' },
    'date|accident_limit_exceeded',
  ],
] as const)(
  'a lead of a medical flow has a dq_reason only for the reasons in the specification',
  async (flow, answers, dq_reason) => {
    const { survey, offerId } = surveyOf(flow);
    const { post, lead } = testAcceptLead({ rules: { specialStates: undefined } });
    const qualified = dq_reason === '' ? 'yes' : 'no';
    const body = bodyOf(survey, { zip_code: '10001', ...answers });
    expect(await post(body)).toMatchObject({ qualified, dq_reason });
    expect(lead().fields).toMatchObject({
      dq_reason,
      lead_is_qualified: 'no',
      do_not_send_to_dq: qualified,
      ...(dq_reason === '' ? { oid: String(offerId) } : SPECIAL_STATE_IDS),
    });
  },
);

describe('the fields that a flow changes at submit', () => {
  // docs/specification.md#prior-offense lists the special ids.
  test('include special offer and affiliate ids for a prior alcohol offence', async () => {
    const dui = surveyOf('dui');
    const answers = {
      accident_type: 'Car Accident',
      first_name: 'Maria',
      last_name: 'Sandoval',
      email: 'maria@mail.example',
      current_compensation: '20000',
      injury_month: '05',
      injury_year: '2026',
      at_Fault: 'yes',
      pending_dui_charges: 'yes',
      type_of_alcohol_test_performed: 'refused_test',
      bac_level: 'dont_know',
      prior_alcohol_related_offense: 'yes',
      case_description: 'I hit another car at a red light and the police came.',
      phone: '2125550123',
      zip_code: '10001',
    };
    const { post, lead } = testAcceptLead();
    await post({ ...bodyOf(dui.survey, answers), affid: '7' });
    expect(lead().fields).toMatchObject({
      ...PRIOR_OFFENCE_IDS,
      original_oid: String(dui.offerId),
      original_affid: '7',
      dq_reason: '',
      do_not_send_to_dq: 'yes',
      bac_level: 'dont_know',
    });
  });

  test('include the accident date of a ticket as MM/DD/YYYY', async () => {
    const { survey } = surveyOf('ticket');
    const { post, lead } = testAcceptLead();
    await post(bodyOf(survey, { injury_year: '2026', injury_month: '05', injury_day: '17' }));
    expect(lead().fields.date_accident_occurred).toBe('05/17/2026');
  });

  test.each(rows)(
    'at $path include the default affiliate id if the post names no affiliate id',
    async ({ survey, affiliateId }) => {
      const { post, lead } = testAcceptLead();
      const { affid: _, ...body } = bodyOf(survey, {});
      await post(body);
      const own =
        affiliateId === DEFAULT_AFFILIATE_ID ? AFFILIATE_ID_WHEN_EMPTY_AT_POST : affiliateId;
      expect(lead().fields.affid).toBe(String(own));
    },
  );

  test.each(rows)(
    'at $path include forced treatment only after a recent accident',
    async ({ flow, survey }) => {
      const { forced, not } = forcedTreatmentDays[flow === 'short' ? 'short' : 'others'];
      for (const days of [...forced, ...not]) {
        const { post, lead } = testAcceptLead();
        const answers = { ...accident(days), doctor_treatment: 'no', physical_injury: 'No' };
        await post(bodyOf(survey, answers));
        const { fields } = lead();
        if (flowsWithoutAccident.includes(flow)) {
          for (const name of removedFromTicket) expect(fields).not.toHaveProperty(name);
          expect(fields.when_seek_medical_treatment ?? '').toBe('');
          continue;
        }
        const isForced = forced.includes(days);
        expect(fields, `${days} days`).toMatchObject(
          isForced
            ? {
                doctor_treatment: 'Yes',
                physical_injury: 'Yes',
                when_seek_medical_treatment: 'first_week',
                when_seek_medical_treatment_date: isoDaysAgo(
                  days - limits.forcedTreatmentDateOffsetDays,
                ),
              }
            : { doctor_treatment: 'no', physical_injury: 'No' },
        );
      }
    },
  );

  // In the flow `group`, the special ids apply only to 25 US states
  // (docs/specification.md#special-states).
  test.each([
    ['group', '90001', true],
    ['group', '70112', true],
    ['group', '40202', false],
    ['v4nv', '40202', true],
  ] as const)(
    'include special offer and affiliate ids only in the US states of the specification',
    async (flow, zip_code, applies) => {
      const { survey } = surveyOf(flow);
      const { post, lead } = testAcceptLead({ rules: { specialStates: undefined } });
      await post(bodyOf(survey, { zip_code, at_Fault: 'yes' }));
      expect(lead().fields).toMatchObject({ zip_code, dq_reason: 'at_Fault|yes' });
      expect(mostPopulousStates.includes(lead().fields.state ?? '')).toBe(zip_code !== '40202');
      expect(lead().fields.oid === SPECIAL_STATE_IDS.oid).toBe(applies);
      expect(lead().fields.affid === SPECIAL_STATE_IDS.affid).toBe(applies);
    },
  );
});

describe('the fields that follow from answers', () => {
  test.each(implied)(
    'are those of the specification for the answers %o',
    async (answers, expected) => {
      const { post, lead } = testAcceptLead();
      await post(testLead(answers));
      expect(lead().fields).toMatchObject(expected);
    },
  );

  test('include no lawyer_redirect_reason if the visitor has no lawyer', async () => {
    const { post, lead } = testAcceptLead();
    await post(testLead({ with_Lawyer: 'no', lawyer_redirect_reason: 'have_attorney|yes' }));
    expect(lead().fields.lawyer_redirect_reason ?? '').toBe('');
  });
});

describe('the blocked terms', () => {
  const badWords = async (term: string) => {
    const { post, lead } = testAcceptLead();
    await post(testLead({ case_description: `The other driver told me (${term}) and then left.` }));
    return lead().fields.bad_words;
  };

  test.each(blockedTerms)('match the whole word "%s" in upper and lower case', async (term) => {
    expect(await badWords(term)).toBe('yes');
    expect(await badWords(term.toUpperCase())).toBe('yes');
    expect(await badWords(`x${term}x`)).toBe('no');
  });
});

describe('the limits of the qualification rules', () => {
  const { qualifiedIncidentDays, withinLastYearDays } = limits;

  test.each([
    [qualifiedIncidentDays, 'yes'],
    [qualifiedIncidentDays + 1, 'no'],
  ])('decide if an accident is recent enough for a qualified lead', async (days, expected) => {
    const { post, lead } = testAcceptLead();
    expect(await post(testLead(accident(days)))).toMatchObject({ qualified: 'yes' });
    expect(lead().fields).toMatchObject({
      lead_is_qualified: expected,
      days_from_incident_date: String(days),
    });
  });

  test.each([
    [withinLastYearDays - 1, 'yes'],
    [withinLastYearDays, 'no'],
  ])('decide if an accident was within the last year', async (days, expected) => {
    const { post, lead } = testAcceptLead();
    await post(testLead(accident(days)));
    expect(lead().fields.accident_within_last_year).toBe(expected);
  });

  // A description needs at least 20 characters and 4 words
  // (docs/specification.md#case-description).
  test.each([
    ['A car hit my bumper.', 'yes'],
    ['A car hit my bumper', 'no'],
    ['Somebody hit my bumper.', 'yes'],
    ['Somebody dented bumpers.', 'no'],
  ])('decide if a case description has enough words', async (case_description, expected) => {
    const { post, lead } = testAcceptLead();
    await post(testLead({ case_description }));
    expect(lead().fields.enough_words).toBe(expected);
  });
});
