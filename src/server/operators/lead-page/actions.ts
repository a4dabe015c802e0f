/** The actions on a lead or its person, each with its consequence said before. */
import type { LeadAction } from '../../../contract/console/leads.ts';
import { type Role, roles } from '../../../contract/console/people.ts';
import { holdClause } from '../../../contract/vocabulary.ts';
import { destinations } from '../../destinations/index.ts';
import { releaseRefusal } from '../release.ts';
import type { LeadStory } from '../story.ts';
import { holdReasons } from './outcome.ts';
import { destinationTitle, isBuyer } from './words.ts';

/** The actions with their least role, what they will do, and why they are not possible; empty: they are. */
const rules: readonly {
  readonly action: LeadAction['action'];
  readonly least: Role;
  readonly what: string;
  readonly means: (story: LeadStory) => string;
  readonly refusal: (story: LeadStory) => string;
}[] = [
  {
    action: 'release',
    least: 'operator',
    what: 'release a lead',
    means: releaseMeans,
    refusal: whyNoRelease,
  },
  {
    action: 'dismiss',
    least: 'operator',
    what: 'dismiss a lead',
    means: dismissMeans,
    refusal: ({ lead }) => (lead.state === 'held' ? '' : 'The lead is not held.'),
  },
  {
    action: 'suppress',
    least: 'operator',
    what: 'suppress a person',
    means: suppressMeans,
    refusal: whyNoSuppression,
  },
  {
    action: 'erase',
    least: 'admin',
    what: 'erase a lead',
    means: eraseMeans,
    refusal: ({ lead }) => (lead.state === 'erased' ? 'The lead was erased already.' : ''),
  },
];

/** Returns every action, whether the role may take it now, and what it will do. */
export function actionsOf(story: LeadStory, role: Role): LeadAction[] {
  return rules.map(({ action, least, what, means, refusal }) => ({
    action,
    means: means(story),
    refusal:
      roles.indexOf(role) < roles.indexOf(least) ? `Only an ${least} can ${what}.` : refusal(story),
  }));
}

function releaseMeans(story: LeadStory): string {
  const { lead, deliveries } = story;
  const held = deliveries.filter(({ state }) => state === 'held');
  const going = listed(held.map(({ destination }) => destinationTitle(destination)));
  const to =
    going === ''
      ? 'No destination takes it.'
      : `It is sent to ${going}, as far as its consent allows.`;
  return (
    `Releases version ${lead.revision}, held because ${holdClause(holdReasons(story))}. ${to} ` +
    'What was sent cannot be called back. A later post with new reasons is held again.'
  );
}

function whyNoRelease(story: LeadStory): string {
  if (story.lead.state !== 'held') return 'The lead is not held.';
  const { is_suppressed } = story;
  return releaseRefusal({ is_suppressed, reasons: holdReasons(story) })?.message ?? '';
}

function dismissMeans(story: LeadStory): string {
  return (
    `Closes this lead, held because ${holdClause(holdReasons(story))}, without sending it. ` +
    'Only a corrected post of the same visitor opens it again.'
  );
}

/** Destinations that the suppression list does not stop for a sold lead. */
const PROOF = destinations.flatMap((each) => (each.proofExpiresHours ? [each.name] : []));
/** The states of deliveries that the suppression list stops. */
const STOPPABLE = ['waiting', 'retrying', 'held'];

function suppressMeans({ deliveries }: LeadStory): string {
  const isSold = deliveries.some(
    ({ destination, state, may_have_arrived }) =>
      isBuyer(destination) && (state === 'delivered' || may_have_arrived),
  );
  const open = deliveries.filter(
    ({ state, destination }) =>
      STOPPABLE.includes(state) && !(isSold && PROOF.includes(destination)),
  ).length;
  const stops = open === 1 ? '1 open delivery' : `${open} open deliveries`;
  return (
    'Puts the e-mail address and phone number of this person on the suppression list. Nothing about them is ' +
    `sent any more, also not their other leads. ${stops} of this lead ${open === 1 ? 'stops' : 'stop'} at once. ` +
    `${receivedText(deliveries)}What was sent cannot be called back.`
  );
}

function whyNoSuppression(story: LeadStory): string {
  if (story.lead.state === 'erased')
    return 'The lead was erased: its person is not known any more.';
  if (!hasPerson(story)) return 'The lead has neither an e-mail address nor a phone number.';
  return story.is_suppressed ? 'The person is on the suppression list already.' : '';
}

function eraseMeans({ deliveries, claims }: LeadStory): string {
  const disputed = claims.length === 0 ? '' : ' and the disputed posts to it by the same person';
  return (
    `Removes everything that this person said in this lead${disputed}, for good. Hashes, times and where it ` +
    `went stay as proof. ${receivedText(deliveries)}Their other leads stay: erase those by e-mail address.`
  );
}

function hasPerson({ revisions }: LeadStory): boolean {
  return revisions.some(({ email_key, phone_key }) => email_key !== null || phone_key !== null);
}

/** Returns who has data of the person and must be told. */
function receivedText(deliveries: LeadStory['deliveries']): string {
  const told = deliveries.filter(
    ({ state, may_have_arrived, event_key }) =>
      (state === 'delivered' || may_have_arrived) && !event_key.startsWith('delivery.'),
  );
  const names = listed(told.map(({ destination }) => destinationTitle(destination)));
  return names === '' ? '' : `Already received by ${names}, who must be told. `;
}

/** Returns different names as a list: `a, b and c`. */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  const last = all.pop();
  return all.length === 0 ? (last ?? '') : `${all.join(', ')} and ${last}`;
}
