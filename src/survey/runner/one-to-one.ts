import { type BuyersAnswer, buyersPath, mappingPath } from '../../contract/buyers.ts';
import type { Answers } from '../../domain/answers.ts';
import { BUYERS_REQUEST_TIMEOUT_MS, buyersAsAnswers } from '../../domain/buyer-choice.ts';
import type { Survey } from '../../flows/surveys.ts';
import { jsonHeaders } from '../queue/request-headers.ts';
import type { Visit } from './visit.ts';

/** Our server gives the buyers service its time; this much longer we wait for our server. */
const ANSWER_WAIT_MS = 2_000;

/** What a one-to-one survey asks our server for while it is answered. Nothing of it ever fails. */
export class OneToOne {
  readonly #survey: Survey;
  readonly #visit: Visit;
  readonly #affid: string;
  readonly #fetch: typeof fetch;
  #isMapped = false;

  constructor(
    survey: Survey,
    visit: Visit,
    affid: string,
    doFetch: typeof fetch = (...args) => fetch(...args),
  ) {
    this.#survey = survey;
    this.#visit = visit;
    this.#affid = affid;
    this.#fetch = doFetch;
  }

  get #oid(): string {
    return this.#visit.tracking.oid ?? String(this.#survey.offerId);
  }

  /** Has our server look up the lead's account, once a page; nobody waits for it. */
  map(): void {
    if (this.#isMapped) return;
    this.#isMapped = true;
    const affid = Number(this.#affid);
    this.#post(mappingPath, { affid, oid: Number(this.#oid) }).catch(() => undefined);
  }

  /**
   * The buyers that the visitor may choose from, as answers. Where our server cannot be asked,
   * `1_to_1_consent` is no (docs/specification.md#buyers).
   */
  async find(zip: string, answers: Answers): Promise<Answers> {
    const { buyers } = this.#survey;
    if (buyers && buyers !== 'fetched') {
      return { '1_to_1_consent': 'yes', ...buyersAsAnswers(buyers) };
    }
    try {
      const click = { ...this.#visit.tracking, oid: this.#oid, affid: this.#affid };
      const body = { ...click, ...answers, zip_code: zip };
      const found = (await this.#post(buyersPath, body)) as BuyersAnswer;
      return { '1_to_1_consent': found.consent, ...buyersAsAnswers(found.buyers) };
    } catch {
      return { '1_to_1_consent': 'no' };
    }
  }

  async #post(path: string, body: object): Promise<unknown> {
    const { session, secret } = this.#visit;
    const { lead_id, survey } = session;
    const response = await this.#fetch(path, {
      method: 'POST',
      headers: jsonHeaders(secret),
      body: JSON.stringify({ ...body, lead_id, survey }),
      signal: AbortSignal.timeout(BUYERS_REQUEST_TIMEOUT_MS + ANSWER_WAIT_MS),
    });
    if (!response.ok) throw new Error('no answer');
    return response.json();
  }
}
