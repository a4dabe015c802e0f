import type { Answers } from '../../../model/fields/answers.ts';
import { walk } from '../../../model/flows/engine/walk.ts';
import type { Survey } from '../../../model/flows/surveys.ts';
import { type BuyersAnswer, buyersPath, mappingPath } from '../../../model/messages/buyers.ts';
import type { PostLeadBody } from '../../../model/messages/lead.ts';
import { thankYouFragments } from '../../../model/messages/page-manifest.ts';
import {
  BUYERS_REQUEST_TIMEOUT_MS,
  buyersAsAnswers,
  buyersFromAnswers,
  choseNoFirm,
  isChosen,
  namingFirms,
} from '../../../model/rules/buyer-choice.ts';
import { isInWashington } from '../../../model/rules/health-authorization.ts';
import type { PageConsent, SurveyData } from '../../../model/visit/state.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import { askServer } from '../queue/requests.ts';
import type { ScreenParts, ScreenProps } from '../screens/screen-props.ts';
import type { FieldTexts } from '../texts/shared.ts';
import type { Runner, RunnerParts } from './runner.ts';
import { firmsKey, handOver, type SentFirms } from './sent-lead.ts';

/** Longest wait for our server, which waits up to `BUYERS_REQUEST_TIMEOUT_MS` for the service. */
const WAIT_MS = BUYERS_REQUEST_TIMEOUT_MS + 2_000;

/** Shows a waiting note below the form until the next screen appears. */
function sayWaiting(text: string): void {
  const form = document.querySelector('[data-step] .form');
  form?.insertAdjacentHTML('beforeend', '<p class=note role=status>');
  // Screen readers announce text only if it is added to an existing region.
  requestAnimationFrame(() => form?.lastElementChild?.append(text));
}

/** Creates the object that makes a one-to-one survey's requests. Its methods never fail. */
export function createOneToOne(survey: Survey, visit: Visit, affid: string, say = sayWaiting) {
  const finding = new Map<string, Promise<Answers>>();
  const found = new Map<string, Answers>();
  let isMapped = false;
  const offerId = () => visit.tracking.oid ?? String(survey.offerId);

  function post<Answer>(path: string, body: object): Promise<Answer> {
    const { secret, session } = visit;
    const { lead_id, survey } = session;
    return askServer(path, { ...body, lead_id, survey }, { secret, waitMs: WAIT_MS });
  }

  function keep(
    zip: string,
    { consent, buyers }: Pick<BuyersAnswer, 'consent' | 'buyers'>,
  ): Answers {
    const answers = { '1_to_1_consent': consent, ...buyersAsAnswers(buyers) };
    found.set(zip, answers);
    return answers;
  }

  async function find(zip: string, earlier: Answers): Promise<Answers> {
    const { buyers } = survey;
    if (buyers && buyers !== 'fetched') return keep(zip, { consent: 'yes', buyers });
    const body = { ...visit.tracking, oid: offerId(), affid, ...earlier, zip_code: zip };
    return keep(zip, await post<BuyersAnswer>(buyersPath, body));
  }

  /** Starts the request for buyers if the ZIP code is complete. */
  function begin(zip: string, earlier: Answers): Promise<Answers> | undefined {
    if (!/^\d{5}$/.test(zip)) return undefined;
    const begun =
      finding.get(zip) ?? find(zip, earlier).catch(() => keep(zip, { consent: 'no', buyers: [] }));
    finding.set(zip, begun);
    return begun;
  }

  return {
    begin,

    /** Requests the lead's ingest account once per page (docs/specification.md#mapping). */
    map(): void {
      if (isMapped) return;
      isMapped = true;
      post(mappingPath, { affid: Number(affid), oid: Number(offerId()) }).catch(() => undefined);
    },

    /** Answers a step. Before the last step, waits for the buyers and adds them to the answers. */
    async leave(
      { data, context }: Pick<RunnerParts, 'data' | 'context'>,
      runner: Pick<Runner, 'getState' | 'dispatch' | 'answer'>,
      own: Answers,
    ): Promise<void> {
      const { flow, texts } = data;
      const { given, at, screen } = runner.getState();
      const earlier = walk(flow, given, context, at).answers;
      const { zip_code: zip = '' } = { ...earlier, ...own };
      const begun = begin(zip, earlier);
      const way = walk(flow, { ...given, [at]: own }, context).steps;
      const next = way[way.indexOf(at) + 1] ?? '';
      if (!begun || !flow.steps[next]?.submits) return runner.answer(own);
      let answers = found.get(zip);
      if (!answers) {
        runner.dispatch({ type: 'checking', screen });
        say(texts.fields.selected_buyers?.waiting as string);
        answers = await begun;
      }
      if (runner.getState().screen === screen) runner.answer({ ...own, ...answers });
    },

    /** Stores the law firms that the lead names. Returns the thank-you page's fragment, or ''. */
    storeFirms(body: PostLeadBody, sentAt: number): string {
      const { lead_id, survey, language, tcpa, consent_version: version, selected_buyers } = body;
      const firms = buyersFromAnswers(body.displayed_buyers, body.displayed_buyer_ids);
      const chosen = firms.filter(([, value]) => isChosen(value, selected_buyers));
      const { secret } = visit;
      const isOpen = choseNoFirm(body);
      // A firm that is chosen later would not be in an authorization.
      const mayChooseLater = isOpen && !isInWashington(body);
      const open = { lead_id, secret, survey, language, tcpa, version, firms, sentAt };
      handOver(firmsKey, {
        chosen: chosen.map(([name]) => name),
        ...(mayChooseLater && { open }),
      } satisfies SentFirms);
      return isOpen ? `#${thankYouFragments.noFirm}` : '';
    },
  };
}
export type OneToOne = ReturnType<typeof createOneToOne>;

/** Marks an input or a name of the law firm at `index` for TrustedForm's consent tags. */
const tagOf = (kind: 'input' | 'name', index: number) => ({
  'data-tf-element-role': `consent-opted-advertiser-${kind}-${index + 1}`,
});

/** The field for the law firms that may call (docs/specification.md#one-to-one-consent). */
function BuyersField({ answers, values, texts, settings, visitState }: ScreenProps) {
  const firms = buyersFromAnswers(answers.displayed_buyers, answers.displayed_buyer_ids);
  // Every survey with this field has these texts.
  const { label, ofOne } = texts.fields.selected_buyers as Required<FieldTexts>;
  const only = firms[1] ? undefined : firms[0];
  const [before, after] = ofOne.question.split('{firm}');
  const { selected_buyers: chosen } = values;
  // Where a sale needs the visitor's choice, only the visitor chooses.
  const needsChoice = [answers.state ?? visitState, answers.state_accident_occurred].some(
    (state) => state !== undefined && settings.closedStates.includes(state),
  );
  const isPreselected = settings.preselectsFirms && !needsChoice;
  const shown = chosen ?? (isPreselected ? answers.displayed_buyer_ids : '');
  const options = only
    ? ([
        [ofOne.yes, only[1]],
        [ofOne.no, ''],
      ] as const)
    : firms;
  return (
    <fieldset className="buyers">
      <input type="hidden" name="firms" value={answers.displayed_buyer_ids} />
      <legend>
        {only ? before : label}
        {only && <span {...tagOf('name', 0)}>{only[0]}</span>}
        {only && after}
      </legend>
      {options.map(([name, value], index) => (
        <label className="buyer" key={value}>
          <input
            type={only ? 'radio' : 'checkbox'}
            name="selected_buyers"
            value={value}
            defaultChecked={value ? isChosen(value, shown) : chosen === ''}
            {...(value && tagOf('input', index))}
          />
          <span {...(!only && tagOf('name', index))}>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function consentOf(
  { consent, stepConsents }: Pick<SurveyData, 'consent' | 'stepConsents'>,
  step: string,
  { displayed_buyers: names = '' }: Answers,
): PageConsent {
  const ofOne = /^[^|]+$/.test(names) && stepConsents?.oneBuyer;
  const own = ofOne || stepConsents?.[step] || consent;
  const safe = names.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return { ...own, html: namingFirms(own.html, safe) };
}

/** Returns both labels of the submit button. The style sheet (buyers.css) shows one of them. */
function submitLabel({ at, texts }: Pick<ScreenProps, 'at' | 'texts'>) {
  const { submit, submitWithoutFirm } = { ...texts.steps[at] };
  return (
    submitWithoutFirm &&
    [submit, submitWithoutFirm].map((label) => <span key={label}>{label}</span>)
  );
}

export const screenParts = { BuyersField, consentOf, submitLabel } satisfies ScreenParts;
