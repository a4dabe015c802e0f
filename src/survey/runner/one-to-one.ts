import { type BuyersAnswer, buyersPath, mappingPath } from '../../contract/buyers.ts';
import type { PostLeadBody } from '../../contract/lead.ts';
import { thankYouFragments } from '../../contract/page-manifest.ts';
import type { Answers } from '../../domain/answers.ts';
import {
  BUYERS_REQUEST_TIMEOUT_MS,
  buyersAsAnswers,
  buyersFromAnswers,
  choseNoFirm,
  isChosen,
} from '../../domain/buyer-choice.ts';
import type { walk } from '../../flows/engine/walk.ts';
import type { Survey } from '../../flows/surveys.ts';
import type { Visit } from '../../journey/visit.ts';
import { endAfter, jsonHeaders } from '../queue/request-headers.ts';
import type { Runner, RunnerParts } from './runner.ts';
import { firmsKey, handOver, type SentFirms } from './sent-lead.ts';

/** The wait for our server beyond the time that it gives the buyers service. */
const ANSWER_WAIT_MS = 2_000;

/** Shows below the form what it waits for. The next screen removes it. */
function sayWaiting(text: string): void {
  const note = document.createElement('p');
  note.className = 'note';
  note.role = 'status';
  document.querySelector('[data-step] .form')?.append(note);
  // Screen readers read only text that is added to an existing region.
  requestAnimationFrame(() => note.append(text));
}

/** What a one-to-one survey asks our server for while it is answered. Never fails. */
export class OneToOne {
  readonly #survey: Survey;
  readonly #visit: Visit;
  readonly #affid: string;
  readonly #fetch: typeof fetch;
  readonly #say: (text: string) => void;
  /** By zip code. */
  readonly #finding = new Map<string, Promise<Answers>>();
  readonly #found = new Map<string, Answers>();
  #isMapped = false;

  constructor(
    survey: Survey,
    visit: Visit,
    affid: string,
    doFetch: typeof fetch = (...args) => fetch(...args),
    say = sayWaiting,
  ) {
    this.#say = say;
    this.#survey = survey;
    this.#visit = visit;
    this.#affid = affid;
    this.#fetch = doFetch;
  }

  get #oid(): string {
    return this.#visit.tracking.oid ?? String(this.#survey.offerId);
  }

  /** Starts the look-up of the lead's account, once per page. */
  map(): void {
    if (this.#isMapped) return;
    this.#isMapped = true;
    const affid = Number(this.#affid);
    this.#post(mappingPath, { affid, oid: Number(this.#oid) }).catch(() => undefined);
  }

  /** Starts the search for the buyers of a complete zip code. */
  begin(zip: string, earlier: Answers): Promise<Answers> | undefined {
    if (!/^\d{5}$/.test(zip)) return undefined;
    const present = this.#finding.get(zip);
    if (present) return present;
    const { buyers } = this.#survey;
    const finding =
      buyers && buyers !== 'fetched'
        ? Promise.resolve(this.#keep(zip, 'yes', buyers))
        : this.#find(zip, earlier).catch(() => this.#keep(zip, 'no', []));
    this.#finding.set(zip, finding);
    return finding;
  }

  /**
   * Answers a step: the zip code's step with the state, the step before the last one with the buyers to choose
   * from. Only that step waits for the buyers, and says so. If the search fails, `1_to_1_consent` is no
   * (docs/specification.md#buyers).
   *
   * @param walkTo the flow's `walk`; importing it here would add a file to every survey's page
   */
  async leave(
    { data, context }: Pick<RunnerParts, 'data' | 'context'>,
    runner: Pick<Runner, 'getState' | 'dispatch' | 'answer'>,
    values: Answers,
    stateOf: (zip: string) => string | undefined,
    walkTo: typeof walk,
  ): Promise<void> {
    const { flow, texts } = data;
    const { given, at, screen } = runner.getState();
    const earlier = walkTo(flow, given, context, at).answers;
    const { zip_code: zip = '' } = { ...earlier, ...values };
    const state = flow.steps[at]?.finds && stateOf(zip);
    const own = { ...values, ...(state && { state }) };
    const finding = this.begin(zip, earlier);
    const way = walkTo(flow, { ...given, [at]: own }, context).steps;
    const next = way[way.indexOf(at) + 1] ?? '';
    if (!finding || !flow.steps[next]?.submits) return runner.answer(own);
    if (!this.#found.has(zip)) {
      runner.dispatch({ type: 'checking', screen });
      this.#say(texts.fields.selected_buyers?.waiting ?? '');
    }
    const found = this.#found.get(zip) ?? (await finding);
    // The visitor may have gone back.
    if (runner.getState().screen === screen) runner.answer({ ...own, ...found });
  }

  /**
   * Stores the law firms that a qualified lead names, or what a later choice needs if it names none.
   *
   * @returns the thank-you page's fragment, or ''
   */
  keepFirms(body: PostLeadBody, now: number): string {
    const { secret } = this.#visit;
    const { lead_id, survey, language, tcpa, consent_version: version } = body;
    const { displayed_buyers, displayed_buyer_ids, selected_buyers } = body;
    const displayed = buyersFromAnswers(displayed_buyers, displayed_buyer_ids);
    if (!choseNoFirm(body)) {
      const chosen = displayed.filter((firm) => isChosen(firm, selected_buyers));
      handOver(firmsKey, { chosen: chosen.map(({ name }) => name) } satisfies SentFirms);
      return '';
    }
    const firms = displayed.map(({ name, ids }) => [name, ids.join(',')] as const);
    const open = { lead_id, secret, survey, language, tcpa, version, firms, sentAt: now };
    handOver(firmsKey, { chosen: [], open } satisfies SentFirms);
    return `#${thankYouFragments.noFirm}`;
  }

  #keep(zip: string, consent: BuyersAnswer['consent'], buyers: BuyersAnswer['buyers']): Answers {
    const found = { '1_to_1_consent': consent, ...buyersAsAnswers(buyers) };
    this.#found.set(zip, found);
    return found;
  }

  async #find(zip: string, earlier: Answers): Promise<Answers> {
    const click = { ...this.#visit.tracking, oid: this.#oid, affid: this.#affid };
    const body = { ...click, ...earlier, zip_code: zip };
    const { consent, buyers } = (await this.#post(buyersPath, body)) as BuyersAnswer;
    return this.#keep(zip, consent, buyers);
  }

  async #post(path: string, body: object): Promise<unknown> {
    const { session, secret } = this.#visit;
    const { lead_id, survey } = session;
    const response = await this.#fetch(path, {
      method: 'POST',
      headers: jsonHeaders(secret),
      body: JSON.stringify({ ...body, lead_id, survey }),
      signal: endAfter(BUYERS_REQUEST_TIMEOUT_MS + ANSWER_WAIT_MS),
    });
    if (!response.ok) throw new Error('no answer');
    return response.json();
  }
}
