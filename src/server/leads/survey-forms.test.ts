import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { noByteLimit, testAcceptLead, testNow, testVisitor } from '../../../tests/support/leads.ts';
import { defineFlow, type Flow } from '../../model/flows/engine/flow.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { onePage } from '../../model/flows/variants/one-page.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import type { PostedFields } from '../../model/visit/posted-form.ts';
import { surveyPageData } from '../../web/survey/page/page-data.ts';
import { settings, today } from '../../web/survey/test-support/survey-fixture.ts';
import type { UseCases } from '../http/use-cases.ts';
import type { FormPost, VisitProof } from './form-visits.ts';
import type { AddressBytes } from './post-limits.ts';
import { createSurveyForms } from './survey-forms.ts';

/** The one-page form, which one post can complete, because it has no buttons as answers. */
const plainForm: Flow = defineFlow({
  ...onePage,
  steps: {
    ...onePage.steps,
    OnePageForm: {
      kind: 'contact',
      asks: ['first_name', 'last_name', 'email', 'zip_code', 'phone'],
      optional: ['selected_buyers'],
      submits: true,
      next: [],
    },
  },
});
const survey = surveyAt('/form') as Survey;
const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;
const data = surveyPageData(survey, plainForm, settings, consent, today);

const typed: PostedFields = [
  ['step', 'OnePageForm'],
  ['first_name', 'Maria'],
  ['last_name', 'Sandoval'],
  ['email', 'maria@mail.example'],
  ['zip_code', '10001'],
  ['phone', '(212) 555-0123'],
];

/** Creates the use case with in-memory stores. `beforeLead` runs just before a lead is stored. */
function setUp(
  beforeLead: (leadId: string, visitor: Visitor) => void = () => undefined,
  addressBytes: AddressBytes = noByteLimit,
) {
  const { post: acceptLead, store } = testAcceptLead();
  const forms = new Map<string, FormVisit>();
  const clock = { now: testNow };
  const checks: Partial<UseCases> = {
    checkZip: async (zip) => ({
      zip,
      city: 'New York',
      state: 'NY',
      state_long: 'New York',
      county: 'New York',
    }),
    checkPhone: async () => ({ valid: true, active: true }),
    checkEmail: async () => ({ blocked: false }),
  };
  const surveyForms = createSurveyForms({
    store: {
      async load({ leadId }) {
        const form = forms.get(leadId);
        return (
          form && {
            survey: survey.path,
            form,
            hasLead: store.leads.has(leadId),
            startedAt: testNow.toISOString(),
            click: null,
            begunBy: form.begunBy ?? null,
            lastSeq: 0,
            entries: [],
          }
        );
      },
      async save({ leadId }, form) {
        forms.set(leadId, form);
      },
    },
    digest: async (purpose, text) =>
      createHash('sha256').update(`secret ${purpose} ${text}`).digest('hex'),
    inTurn: (_, work) => work(),
    addressBytes,
    useCases: {
      ...(checks as UseCases),
      saveProgress: async () => ({ userBackupStatus: true, userProgressionStatus: true }),
      acceptLead: async (body, visitor, options) => {
        beforeLead(String(body.lead_id), visitor);
        return acceptLead(body, visitor, options);
      },
    },
    consents: [],
    calendar: () => today,
    log: { error: () => undefined },
    now: () => clock.now,
  });
  const post = (more: Partial<FormPost> = {}) =>
    surveyForms.take({
      data,
      proof: undefined,
      isBound: false,
      visitor: testVisitor,
      mayCheck: async () => true,
      fields: typed,
      isFirst: true,
      href: 'https://claims.example.com/form?s1=abc',
      landing: { href: 'https://claims.example.com/form?s1=abc', referrer: '' },
      proxyState: '',
      ...more,
    });
  return { post, store, clock, forms };
}

it('a visit continues from another IP address only if its cookie is bound to this host', async () => {
  const { post } = setUp();
  const fields = typed.filter(([name]) => name !== 'phone');
  const proof = (await post({ fields }))?.proof as VisitProof;
  const next = { fields, proof, isFirst: false };
  expect((await post(next))?.proof).toEqual(proof);
  const visitor = { ...testVisitor, address: '198.51.100.99' };
  expect(await post({ ...next, visitor })).toBeUndefined();
  expect((await post({ ...next, visitor, isBound: true }))?.proof).toEqual(proof);
});

it('no lead is stored if the visit is erased while its form is processed', async () => {
  const { post, store } = setUp((leadId, { secretSha256 }) => {
    store.visits.set(leadId, { secretSha256, isErased: true });
  });
  expect(await post()).toBeUndefined();
  expect(store.leads.size).toBe(0);
});

it('the step is shown again if its page listed other law firms than the visit now has', async () => {
  const { post, store } = setUp();
  const shown = await post({ fields: [...typed, ['firms', '50001']] });
  expect(shown?.goTo).toBe('/form/continue?step=OnePageForm');
  expect(store.leads.size).toBe(0);
  expect((await post())?.goTo).toMatch(/^\/survey-thank-you\//);
});
