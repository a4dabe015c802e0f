/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */

/** One survey of the brief. */
export type SurveyTableRow = {
  readonly path: string;
  /** The name of the flow, which is a key of `ways`. */
  readonly flow: FlowName;
  readonly offerId: number;
  readonly affiliateId: number;
  readonly language: 'en' | 'es';
  readonly thankYouPath: string;
};

/** Specification #offer-and-affiliate-ids: the default offer id of a path. */
export const DEFAULT_OFFER_ID = 81;
export const DEFAULT_AFFILIATE_ID = 1;
/**
 * Specification #offer-and-affiliate-ids: the affiliate id of a lead that was posted without an
 * affiliate id.
 */
export const AFFILIATE_ID_WHEN_EMPTY_AT_POST = 10;

/** Specification #survey-paths: maps a path to its offer id. */
const offerIdByPath: Readonly<Record<string, number>> = {
  '/yt': 56,
  '/survey-google': 57,
  '/g': 57,
  '/g2': 101,
  '/f': 102,
  '/survey/es': 85,
  '/survey/vw': 86,
  '/survey/tt': 80,
  '/survey/yt': 112,
  '/survey/insta': 113,
  '/survey/fb': 114,
  '/survey/v4nv-ep': 196,
  '/survey-sd/v4': 152,
  '/survey-sd/v3b': 152,
  '/survey/v6': 160,
  '/survey/v4nv-rz': 188,
  '/survey-sl': 235,
  '/form': 101,
};

/** Specification #survey-paths: maps a path to its affiliate id. */
const affiliateIdByPath: Readonly<Record<string, number>> = {
  '/survey/ig': 107,
  '/survey/tt': 252,
  '/survey/yt': 252,
  '/survey/insta': 252,
  '/survey/fb': 252,
  '/survey-sd/v4': 340,
  '/survey-sd/v3b': 340,
};

/** Specification #thank-you-pages: the default thank-you page of a survey. */
export const DEFAULT_THANK_YOU_PATH = '/survey-thank-you/';
const thankYouByPath: Readonly<Record<string, string>> = {
  '/survey-sd/v3b': '/survey-thank-you-v3b/',
  '/survey/v5nv': '/survey-v5-thank-you/',
  '/survey/v7': '/survey-thank-you-v7/',
  '/ticket': '/ticket-thank-you/',
};

/** Specification #survey-paths: the surveys in Spanish. */
const spanishPaths = ['/survey/v4nv-es', '/survey/es'];

/** Specification #survey-paths: maps a path to its flow. */
const flowByPath = {
  '/survey/v4nv': 'v4nv',
  '/survey/v4nv-ep': 'ep',
  '/survey/v4nv-rz': 'rz',
  '/survey/v4nv-es': 'v4nv-es',
  '/survey/v4nv-d1': 'one-to-one-fixed',
  '/survey/v4nv-d2': 'one-to-one-fixed',
  '/survey/v4nv-x1': 'one-to-one-fixed',
  '/survey/v6': 'one-to-one',
  '/survey/es': 'vw3',
  '/survey/vw': 'vw3',
  '/survey/tt': 'tiktok',
  '/survey/yt': 'tiktok',
  '/survey/insta': 'tiktok',
  '/survey/fb': 'tiktok',
  '/survey-sd/v3': 'D',
  '/survey-sd/v3b': 'B',
  '/survey-sd/v4': 'E',
  '/survey-sl': 'sl',
  '/yt': 'A',
  '/g': 'A',
  '/g2': 'C',
  '/survey-google': 'C',
  '/f': 'three-step',
  '/form': 'one-page',
  '/survey/ig': 'medical-10',
  '/survey/v2': 'medical-5',
  '/survey/v3': 'C',
  '/survey/v4': 'v4',
  '/survey/v5': 'v4-crash-comped',
  '/survey/v5nv': 'v4',
  '/survey/v4g': 'group',
  '/survey/v7': 'v7',
  '/survey/dui': 'dui',
  '/survey/progress': 'progress-bar',
  '/survey/short': 'short',
  '/survey/short-b': 'short',
  '/survey-sl/v2': 'sl-v2',
  '/ticket': 'ticket',
  '/benefits': 'benefits',
} as const satisfies Readonly<Record<string, string>>;

/** The name of a flow of the brief. */
export type FlowName = (typeof flowByPath)[keyof typeof flowByPath];

/** Every survey of the brief. */
export const surveyTable: readonly SurveyTableRow[] = Object.entries(flowByPath).map(
  ([path, flow]) => ({
    path,
    flow,
    offerId: offerIdByPath[path] ?? DEFAULT_OFFER_ID,
    affiliateId: affiliateIdByPath[path] ?? DEFAULT_AFFILIATE_ID,
    language: spanishPaths.includes(path) ? 'es' : 'en',
    thankYouPath: thankYouByPath[path] ?? DEFAULT_THANK_YOU_PATH,
  }),
);

/** Specification #tracking-parameters: each parameter, and the lead field that it fills. */
export const trackingInputs: readonly (readonly [parameter: string, field: string])[] = [
  ['s1', 'sub_id'],
  ['sub1', 'sub_id'],
  ['sub2', 'sub_id2'],
  ['sub3', 'sub_id3'],
  ['sub4', 'sub_id4'],
  ['sub5', 'click_id'],
  ['oid', 'oid'],
  ['_ef_transaction_id', 'ef_transaction_id'],
  ['gclid', 'gclid'],
  ['fbclid', 'fbclid'],
];

/** Specification #tracking-parameters: the default values of the lead fields. */
export const trackingDefaults = {
  sub_id: '1',
  sub_id2: '',
  sub_id3: '',
  sub_id4: '',
  click_id: '',
  gclid: '',
  fbclid: '',
};
