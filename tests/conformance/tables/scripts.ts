/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import type { FlowName } from './paths-and-ids.ts';

/** A third-party script, which loads when a step opens (`at`) or is answered (`after`). */
export type ScriptRow = {
  readonly script: 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';
  readonly at?: string;
  readonly after?: string;
  readonly answer?: Readonly<Record<string, string>>;
  readonly affid?: string;
};

/**
 * Specification #scripts-of-third-parties: the pixel loads after the answer Yes to the injury
 * question.
 */
const pixelOnInjury: ScriptRow = {
  script: 'pixel',
  after: 'WasUserInjured',
  answer: { physical_injury: 'Yes' },
};

/**
 * Specification #scripts-of-third-parties: in the v4 flows, the pixel loads only for affiliate 389.
 */
const adPixel: ScriptRow = { ...pixelOnInjury, script: 'adPixel', affid: '389' };

/** The scripts that a flow loads. */
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
  rz: [adPixel],
  ep: [adPixel],
  v7: [adPixel],
  // Specification #flows: "survey paths in this family" includes v4nv-d1, v4nv-d2 and v4nv-x1.
  'one-to-one': [adPixel],
  'one-to-one-fixed': [adPixel],
};

/** Specification #traffic-source: the traffic sources of 20 visits without a click id. */
export const trafficSources = { google: 15, facebook: 5 };
