import type { FlowName } from './paths-and-ids.ts';

/** A third-party script and when it loads: at a step, or after an answer to it. */
export type ScriptRow = {
  readonly script: 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';
  readonly at?: string;
  readonly after?: string;
  readonly answer?: Readonly<Record<string, string>>;
  readonly affid?: string;
};

/** docs/specification.md#scripts-of-third-parties: loads on the answer Yes (#flows, #flows). */
const pixelOnInjury: ScriptRow = {
  script: 'pixel',
  after: 'WasUserInjured',
  answer: { physical_injury: 'Yes' },
};

/** docs/specification.md#scripts-of-third-parties: in the v4 family, for affiliate 389 only. */
const adPixel: ScriptRow = { ...pixelOnInjury, script: 'adPixel', affid: '389' };

/** The scripts of each flow; every other flow has none. */
export const scripts: Readonly<Partial<Record<FlowName, readonly ScriptRow[]>>> = {
  // #flows: AutoAccidentCaseWorth "loads an ad script".
  A: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, pixelOnInjury],
  dui: [pixelOnInjury],
  // #flows: "loads after HowWasUserHurt".
  'progress-bar': [{ script: 'pixel', after: 'HowWasUserHurt' }],
  // #ticket-flow: "when the flow reaches TicketReceived".
  ticket: [{ script: 'ticket', at: 'TicketReceived' }],
  v4nv: [adPixel],
  'v4nv-es': [adPixel],
  v4: [adPixel],
  'v4-crash-comped': [adPixel],
  // The flow `group` belongs to the v4 family, but asks no injury question.
  rz: [adPixel],
  ep: [adPixel],
  v7: [adPixel],
  // #flows: "survey paths in this family" includes v4nv-d1, -d2 and -x1.
  'one-to-one': [adPixel],
  'one-to-one-fixed': [adPixel],
};

/** docs/specification.md#traffic-source: shares of 20 visits; a click id takes precedence. */
export const trafficSources = { google: 15, facebook: 5 };
