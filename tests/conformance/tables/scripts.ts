import type { FlowName } from './paths-and-ids.ts';

/** A script of a third party and when it loads: at a step, or once a step is answered (so). */
export type ScriptRow = {
  readonly script: 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';
  readonly at?: string;
  readonly after?: string;
  readonly answer?: Readonly<Record<string, string>>;
  readonly affid?: string;
};

/** D1 4 "Variant A" and D2 4 "DUI-branch variant": on the answer Yes. */
const pixelOnInjury: ScriptRow = {
  script: 'pixel',
  after: 'WasUserInjured',
  answer: { physical_injury: 'Yes' },
};

/** D2 7 and 9: "only when affid is 389 in the v4 family". */
const adPixel: ScriptRow = { script: 'adPixel', affid: '389' };

/** The scripts of each flow; every other flow has none. */
export const scripts: Readonly<Partial<Record<FlowName, readonly ScriptRow[]>>> = {
  // D1 4: AutoAccidentCaseWorth "loads an ad script".
  A: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, pixelOnInjury],
  dui: [pixelOnInjury],
  // D2 4: "loads after HowWasUserHurt".
  'progress-bar': [{ script: 'pixel', after: 'HowWasUserHurt' }],
  // D2 4: "when the flow reaches TicketReceived".
  ticket: [{ script: 'ticket', at: 'TicketReceived' }],
  v4nv: [adPixel],
  'v4nv-es': [adPixel],
  v4: [adPixel],
  'v4-crash-comped': [adPixel],
  rz: [adPixel],
  group: [adPixel],
  ep: [adPixel],
  v7: [adPixel],
  // D2 2: "survey paths in this family" has v4nv-d1, -d2 and -x1.
  'one-to-one': [adPixel],
  'one-to-one-fixed': [adPixel],
};

/** D1 9, "Traffic source randomiser": of 20 visits; R: a click id decides first. */
export const trafficSources = { google: 15, facebook: 5 };
