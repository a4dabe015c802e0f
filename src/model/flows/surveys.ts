import * as v from 'valibot';
import { languages } from '../fields/language.ts';
import { logoNames, progressStyles, themeNames } from '../fields/look.ts';
import type { Buyer } from '../rules/buyer-choice.ts';
import { withTimeframe, withZipStep } from './engine/adapt.ts';
import type { Flow } from './engine/flow.ts';
import type { WalkContext } from './engine/walk.ts';

/** Imports each flow dynamically, so that a page loads only its own flow. */
export const flowLoaders = {
  v4: () => import('./variants/v4.ts').then((module) => module.v4),
  'variant-a': () => import('./variants/variant-a.ts').then((module) => module.variantA),
  'variant-b': () => import('./variants/variant-b.ts').then((module) => module.variantB),
  'variant-c': () => import('./variants/variant-c.ts').then((module) => module.variantC),
  'variant-d': () => import('./variants/variant-d.ts').then((module) => module.variantD),
  'variant-e': () => import('./variants/variant-e.ts').then((module) => module.variantE),
  tiktok: () => import('./variants/tiktok.ts').then((module) => module.tiktok),
  medical: () => import('./variants/medical.ts').then((module) => module.medical),
  'medical-five': () => import('./variants/medical.ts').then((module) => module.medicalFive),
  dui: () => import('./variants/dui.ts').then((module) => module.dui),
  rz: () => import('./variants/rz.ts').then((module) => module.rz),
  group: () => import('./variants/group.ts').then((module) => module.group),
  sl: () => import('./variants/sl.ts').then((module) => module.sl),
  'sl-v2': () => import('./variants/sl-v2.ts').then((module) => module.slV2),
  vw3: () => import('./variants/vw3.ts').then((module) => module.vw3),
  'progress-bar': () => import('./variants/progress-bar.ts').then((module) => module.progressBar),
  short: () => import('./variants/short.ts').then((module) => module.short),
  ep: () => import('./variants/ep.ts').then((module) => module.ep),
  v7: () => import('./variants/v7.ts').then((module) => module.v7),
  ticket: () => import('./variants/ticket.ts').then((module) => module.ticket),
  benefits: () => import('./variants/benefits.ts').then((module) => module.benefits),
  'three-step': () => import('./variants/three-step.ts').then((module) => module.threeStep),
  'one-to-one': () => import('./variants/one-to-one.ts').then((module) => module.oneToOne),
  'one-page': () => import('./variants/one-page.ts').then((module) => module.onePage),
} as const;
export type FlowId = keyof typeof flowLoaders;

const id = v.pipe(v.number(), v.integer(), v.minValue(0));

const fixedBuyer: v.GenericSchema<Buyer> = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[^|]{1,120}$/)),
  ids: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))), v.minLength(1)),
});

/** Schema of the switches for the look of a page (docs/specification.md#themes-and-toggles). */
const toggles = v.strictObject({
  roundedButtons: v.boolean(),
  firstQuestionHeader: v.boolean(),
  lastStepHeader: v.boolean(),
  hidePercentSign: v.boolean(),
  hidePrivacyGuarantee: v.boolean(),
  socialProof: v.boolean(),
  /** True if one step asks all contact details (docs/specification.md#v4-flow). */
  combinedLastStep: v.boolean(),
});

export type Toggles = Readonly<v.InferOutput<typeof toggles>>;

/** Schema of the configuration of a survey (docs/specification.md#survey-columns). */
export const surveyColumns = v.strictObject({
  flow: v.picklist(Object.keys(flowLoaders) as FlowId[]),
  language: v.picklist(languages),
  /** Path of the survey in the other language. */
  translation: v.exactOptional(v.string()),
  offerId: id,
  affiliateId: id,
  thankYouPath: v.string(),
  theme: v.picklist(themeNames),
  logo: v.exactOptional(v.picklist(logoNames)),
  progress: v.exactOptional(v.picklist(progressStyles)),
  toggles,
  /** True if the flow begins with an estimate (docs/specification.md#rules-of-paths). */
  startsWithCaseWorth: v.exactOptional(v.boolean()),
  /** True if the flow asks visitors to confirm that they have a lawyer. */
  confirmsLawyer: v.boolean(),
  /** True if visitors with a lawyer skip the questions about funding. */
  skipsLawyerFunding: v.boolean(),
  /** True if the flow asks for a timeframe (docs/specification.md#accident-date-steps). */
  asksTimeframe: v.boolean(),
  /** True if the zip code has a separate step (docs/specification.md#contact-steps). */
  asksZipAlone: v.boolean(),
  /** True if the survey opens the partner page for disqualified visitors. */
  opensPartnerTab: v.boolean(),
  /** True if the query of the thank-you page contains the reason of a disqualification. */
  thankYouReason: v.boolean(),
  /** True if visitors wait for a successful post (docs/specification.md#redirect-only-on-success). */
  redirectsOnSuccess: v.boolean(),
  /** True if buyers receive no `lawyer_redirect_reason` (docs/specification.md#lawyer-reason). */
  removesLawyerReason: v.boolean(),
  /** True if an SMS code confirms the phone number (docs/specification.md#sms-verification). */
  verifiesPhone: v.boolean(),
  /** True if the ingest service receives the survey's leads (docs/specification.md#ingest). */
  deliversToIngest: v.boolean(),
  /** The destinations that receive the survey's leads. Default: all destinations. */
  destinations: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  /** The law firms of a one-to-one survey. `fetched` means: the buyers service returns them. */
  buyers: v.exactOptional(
    v.union([v.literal('fetched'), v.pipe(v.array(fixedBuyer), v.minLength(1), v.readonly())]),
  ),
});

/** A survey: a path with a flow and its configuration. */
export type Survey = Readonly<v.InferOutput<typeof surveyColumns>> & {
  readonly path: string;
};

const plainToggles: Toggles = {
  roundedButtons: false,
  firstQuestionHeader: true,
  lastStepHeader: true,
  hidePercentSign: false,
  hidePrivacyGuarantee: false,
  socialProof: false,
  combinedLastStep: false,
};

/** The usual configuration of a survey (docs/specification.md#survey-columns). */
export const base = {
  flow: 'v4',
  language: 'en',
  offerId: 81,
  affiliateId: 1,
  thankYouPath: '/survey-thank-you/',
  theme: 'default',
  toggles: plainToggles,
  confirmsLawyer: true,
  skipsLawyerFunding: false,
  asksTimeframe: false,
  asksZipAlone: false,
  opensPartnerTab: true,
  thankYouReason: false,
  redirectsOnSuccess: false,
  removesLawyerReason: false,
  verifiesPhone: false,
  deliversToIngest: true,
} as const satisfies Partial<Survey>;

const noPartner = { opensPartnerTab: false } as const;

const tiktok = { flow: 'tiktok', affiliateId: 252 } as const;

/** Placeholder buyers, which SURVEY_OVERRIDES replaces (docs/specification.md#buyers). */
const partnerFirms = (count: number): readonly Buyer[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Partner Law Firm ${String.fromCharCode(65 + index)}`,
    ids: [String(index + 1)],
  }));

function rowsOf(rows: readonly (Partial<Survey> & Pick<Survey, 'path'>)[]): readonly Survey[] {
  return rows.map((row) => ({ ...base, ...row }));
}

/** All surveys (docs/specification.md#survey-paths). */
export const surveys: readonly Survey[] = rowsOf([
  { path: '/survey/v4nv', translation: '/survey/v4nv-es' },
  {
    path: '/survey/v4nv-es',
    language: 'es',
    translation: '/survey/v4nv',
    skipsLawyerFunding: true,
  },
  { path: '/survey/v4' },
  { path: '/survey/v5', confirmsLawyer: false },
  { path: '/survey/v5nv', thankYouPath: '/survey-v5-thank-you/' },
  { path: '/survey/v4nv-d1', flow: 'one-to-one', buyers: partnerFirms(1) },
  { path: '/survey/v4nv-d2', flow: 'one-to-one', buyers: partnerFirms(5) },
  { path: '/survey/v4nv-x1', flow: 'one-to-one', buyers: partnerFirms(1) },
  { path: '/survey/v6', flow: 'one-to-one', offerId: 160, buyers: 'fetched' },
  { path: '/survey/v4nv-rz', flow: 'rz', offerId: 188 },
  { path: '/survey/v4g', flow: 'group' },
  { path: '/survey/v4nv-ep', flow: 'ep', offerId: 196 },
  { path: '/survey/v7', flow: 'v7', thankYouPath: '/survey-thank-you-v7/' },
  { path: '/survey-sl', flow: 'sl', offerId: 235 },
  { path: '/survey-sl/v2', flow: 'sl-v2' },

  { path: '/yt', flow: 'variant-a', offerId: 56 },
  { path: '/g', flow: 'variant-a', offerId: 57 },
  {
    path: '/survey-sd/v3b',
    flow: 'variant-b',
    offerId: 152,
    affiliateId: 340,
    thankYouPath: '/survey-thank-you-v3b/',
  },
  { path: '/g2', flow: 'variant-c', offerId: 101 },
  { path: '/survey-google', flow: 'variant-c', offerId: 57 },
  { path: '/survey/v3', flow: 'variant-c' },
  { ...noPartner, path: '/survey-sd/v3', flow: 'variant-d' },
  { ...noPartner, path: '/survey-sd/v4', flow: 'variant-e', offerId: 152, affiliateId: 340 },
  { path: '/survey/ig', flow: 'medical', affiliateId: 107 },
  { path: '/survey/v2', flow: 'medical-five', thankYouReason: true },
  { path: '/survey/dui', flow: 'dui' },
  { ...tiktok, path: '/survey/tt', offerId: 80 },
  { ...tiktok, path: '/survey/yt', offerId: 112 },
  { ...tiktok, path: '/survey/insta', offerId: 113 },
  { ...tiktok, path: '/survey/fb', offerId: 114 },
  { path: '/survey/es', flow: 'vw3', language: 'es', translation: '/survey/vw', offerId: 85 },
  { path: '/survey/vw', flow: 'vw3', translation: '/survey/es', offerId: 86 },
  { path: '/survey/progress', flow: 'progress-bar', redirectsOnSuccess: true },
  { path: '/survey/short', flow: 'short' },
  { path: '/survey/short-b', flow: 'short' },
  { path: '/f', flow: 'three-step', offerId: 102 },
  { path: '/form', flow: 'one-page', offerId: 101 },
  // The partner's page is about accidents, so the survey about tickets does not open that page.
  {
    ...noPartner,
    path: '/ticket',
    flow: 'ticket',
    thankYouPath: '/ticket-thank-you/',
    // Hides the header above the first question, because the header's text is about an accident.
    toggles: { ...plainToggles, firstQuestionHeader: false },
  },
  // This flow asks no contact details and posts no lead (docs/specification.md#benefits-flow).
  { ...noPartner, path: '/benefits', flow: 'benefits', destinations: [] },
]);

/** Loads the flow of a survey, and adapts the flow to the survey's configuration. */
export async function flowOf({
  flow,
  asksTimeframe,
  asksZipAlone,
}: Pick<Survey, 'flow' | 'asksTimeframe' | 'asksZipAlone'>): Promise<Flow> {
  const loaded: Flow = await flowLoaders[flow]();
  const dated = asksTimeframe ? withTimeframe(loaded) : loaded;
  return asksZipAlone ? withZipStep(dated) : dated;
}

export function barePath(path: string): string {
  return path.replace(/\/+$/, '');
}

/** Returns the survey at a path. */
export function surveyAt(path: string, table: readonly Survey[] = surveys): Survey | undefined {
  const bare = barePath(path);
  return table.find((survey) => survey.path === bare);
}

/** Returns the configuration that the flow's conditions read. */
export function surveyFacts(survey: Survey): WalkContext['survey'] {
  const path = survey.path.replaceAll('/', '');
  return {
    combinedLastStep: survey.toggles.combinedLastStep,
    skipsLawyerFunding: survey.skipsLawyerFunding,
    confirmsLawyer: survey.confirmsLawyer,
    startsWithCaseWorth:
      survey.startsWithCaseWorth ?? !(path.includes('surveyv4nv') || path.includes('surveyv4g')),
    hasFixedBuyers: survey.buyers !== undefined && survey.buyers !== 'fetched',
  };
}
