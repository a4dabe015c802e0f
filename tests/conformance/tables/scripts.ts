/** Rules copied by hand from docs/specification.md, whose sections the comments cite as "#section". */
import type { FlowName } from './paths-and-ids.ts';

/** A third-party script, which loads when a step opens (`at`) or is answered (`after`). */
export type ScriptRow = {
  readonly script: 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';
  readonly at?: string;
  readonly after?: string;
  readonly answer?: Readonly<Record<string, string>>;
  readonly affid?: string;
};

/** Specification #scripts-of-third-parties: the pixel loads when the visitor answers Yes to the injury question. */
const pixelOnInjury: ScriptRow = {
  script: 'pixel',
  after: 'WasUserInjured',
  answer: { physical_injury: 'Yes' },
};

/** Specification #scripts-of-third-parties: in the v4 family, the ad pixel is for affiliate 389 only. */
const adPixel: ScriptRow = { ...pixelOnInjury, script: 'adPixel', affid: '389' };

/** The scripts of each flow. All other flows load no script. */
export const scripts: Readonly<Partial<Record<FlowName, readonly ScriptRow[]>>> = {
  // Specification #flows: AutoAccidentCaseWorth "loads an ad script".
  A: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, pixelOnInjury],
  dui: [pixelOnInjury],
  // Specification #flows: the pixel "loads after HowWasUserHurt".
  'progress-bar': [{ script: 'pixel', after: 'HowWasUserHurt' }],
  // Specification #ticket-flow: the script loads "when the flow reaches TicketReceived".
  ticket: [{ script: 'ticket', at: 'TicketReceived' }],
  v4nv: [adPixel],
  'v4nv-es': [adPixel],
  v4: [adPixel],
  'v4-crash-comped': [adPixel],
  // The flow `group` has no row, because it asks no injury question.
  rz: [adPixel],
  ep: [adPixel],
  v7: [adPixel],
  // Specification #flows: "survey paths in this family" includes v4nv-d1, -d2 and -x1.
  'one-to-one': [adPixel],
  'one-to-one-fixed': [adPixel],
};

/** Specification #traffic-source: the sources of 20 visits without a click id. */
export const trafficSources = { google: 15, facebook: 5 };
