/** Describes surveys to operators: settings, addresses, and the destinations of leads. */

import { clickIdNames } from '../../model/fields/click-ids.ts';
import { loadSurveyTable, type SurveyEntry } from '../../model/flows/survey-table.ts';
import type { SurveyAnswer, SurveyDestination } from '../../model/messages/console/work.ts';
import type {
  ConnectedDestination,
  DestinationSetting,
  PlannedLead,
} from '../delivery/destinations/index.ts';
import { type PlanRefusal, refusalOf } from '../delivery/index.ts';
import type { Settings } from '../settings/settings.ts';
import { type BuyerNames, capitalised, destinationTitle } from './words.ts';

/** The query that marks a visit's lead as a test (docs/specification.md#tracking-parameters). */
const TEST_QUERY = '?lp_action=test';

/** Returns the descriptions of all surveys. */
export async function readSurveys(
  settings: Pick<Settings, 'surveys' | 'destinations' | 'publicUrl' | 'port'>,
  connected: readonly ConnectedDestination[],
  buyerNames: BuyerNames,
): Promise<SurveyAnswer[]> {
  const { surveys, destinations, publicUrl, port } = settings;
  const table = await loadSurveyTable(surveys);
  return surveys.flatMap(({ path }) => {
    const entry = table(path);
    if (!entry) return [];
    return {
      ...entry.survey,
      testAddress: `${publicUrl ?? `http://localhost:${port}`}${path}${TEST_QUERY}`,
      isPublic: publicUrl !== undefined,
      goesTo: destinations.map((setting) => {
        const destination = connected.find(({ name }) => name === setting.definition.name);
        const title = capitalised(destinationTitle(setting.definition.name, buyerNames));
        return { title, ...fateAt(setting, destination, entry) };
      }),
    };
  });
}

/** Sample leads: an ordinary lead, and leads that some destinations treat differently. */
const samples = [
  ['', {}],
  ['with a consent certificate', { trustedform_cert_url: 'https://cert.trustedform.com/sample' }],
  ['with a blocked term in the description', { bad_words: 'yes' }],
] as const;

/** A click of every ad platform. */
const SAMPLE_CLICK = Object.fromEntries(clickIdNames.map((name) => [name, 'sample-click']));

function sampleLead({ survey, flow }: SurveyEntry, special: PlannedLead['fields']): PlannedLead {
  const known = { state: 'NY', zip_code: '10001', email: 'a@example.com', phone: '2125550123' };
  const fields = { ...known, bad_words: 'no', ...special };
  const click = { params: SAMPLE_CLICK };
  return { survey: survey.path, flow: flow.id, qualified: true, isTest: false, fields, click };
}

/** Returns what the destination would receive of the survey's leads. */
function fateAt(
  setting: DestinationSetting,
  connected: ConnectedDestination | undefined,
  entry: SurveyEntry,
): Omit<SurveyDestination, 'title'> {
  const { name: destination } = setting.definition;
  const refusals = samples.map(([kind, special]) => {
    const lead = sampleLead(entry, special);
    return { kind, lead, refusal: refusalOf(setting, lead, entry.survey) };
  });
  const taken = refusals.find(({ refusal }) => refusal === undefined);
  if (!taken) {
    const text = whyNot(setting, refusals[0]?.refusal ?? 'not_for_lead');
    return { destination, takes: 'none', text, takesTests: false };
  }
  const takesTests = !refusalOf(setting, { ...taken.lead, isTest: true }, entry.survey);
  if (setting.values === undefined) {
    const text = `It is not set up (${needsOf(setting)}). Leads are kept; send them yourself after setup.`;
    return { destination, takes: 'later', text, takesTests };
  }
  const { consent, stopsAtOptOut } = connected?.permission ?? setting.definition.permission;
  const disqualified = refusalOf(setting, { ...taken.lead, qualified: false }, entry.survey);
  const qualified = disqualified === undefined ? 'qualified or not' : 'if it is qualified';
  const which = setting.definition.events
    ? `Gets events about ${setting.definition.isAdPlatform ? 'leads from its ads' : 'every lead'}: ${setting.definition.events(setting.values).join(', ')}.`
    : `Gets ${taken.kind === '' ? 'every lead' : `only leads ${taken.kind}`}, ${qualified}.`;
  return {
    destination,
    takesTests,
    takes: taken.kind === '' ? 'all' : 'some',
    text: [
      which,
      ...(consent === 'given' ? ['A lead without a consent text is withheld.'] : []),
      ...(stopsAtOptOut ? ['A lead with the opt-out signal (Sec-GPC) is withheld.'] : []),
    ].join(' '),
  };
}

function needsOf({ definition }: DestinationSetting): string {
  return `it needs ${definition.needs.join(', ')}`;
}

function whyNot(setting: DestinationSetting, refusal: PlanRefusal): string {
  const { takes, surveyColumn } = setting.definition;
  switch (refusal) {
    case 'other_kind':
      return `Takes only leads of the ${takes === 'contact' ? 'contact form' : 'surveys'}.`;
    case 'not_named':
      return 'The survey’s row names its destinations, and this is none of them.';
    case 'not_of_survey':
      return `The survey’s row turns it off (${surveyColumn}).`;
    default:
      return setting.values === undefined
        ? `It is off (${needsOf(setting)}).`
        : 'Takes no leads like those of this survey.';
  }
}
