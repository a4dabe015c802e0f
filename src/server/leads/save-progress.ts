/** The use case behind `POST /api/save-data`: stores the click and every step exactly once. */

import { isAskedField } from '../../model/fields/asked-fields.ts';
import { isPersonalParameter } from '../../model/fields/contact-parameters.ts';
import { withoutAdIds } from '../../model/fields/tracking.ts';
import { clickIdOf } from '../../model/fields/tracking-fields.ts';
import { beginning, storableText } from '../../model/lead/storable.ts';
import type { Visitor } from '../../model/lead/visitor.ts';
import type { SaveDataAnswer } from '../../model/messages/progress.ts';
import type { Clock } from '../platform/clock.ts';
import { OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import type { AddressBytes } from './address-bytes.ts';
import { bytesOf, tooManyBytes } from './fit-body.ts';
import { LATER_SECONDS } from './post-guard.ts';
import type { ClickRecord, ProgressRecord, ProgressStore } from './stored-progress.ts';

/** Written progress in the browser's wire format, without the fields that are not stored. */
export type SavedProgress = {
  readonly session: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
};

/** The longest stored value, in characters. */
const TEXT_CHARACTERS = 10_000;
const NAME_CHARACTERS = 100;
const MAX_PARAMETERS = 100;
const MAX_SEQ = 2_147_483_647;
/** The longest stored time on a step: longer than any real stay, and within the column's range. */
const MAX_SECONDS = 99_999_999;

/**
 * Stores a browser's progress (docs/specification.md#saving-progress). Invalid entries are skipped. Both flags are
 * still true, since a retry would not help. They are false if nothing could be stored, so that the browser retries.
 * Steps of another browser's lead are not stored, and the answer does not reveal that.
 *
 * @throws OverLimitError for an address that has written too much, and for a visit with too many steps
 */
export type SaveProgress = (
  body: Readonly<Record<string, unknown>>,
  visitor: Visitor,
) => Promise<SaveDataAnswer>;

/**
 * Creates the use case that stores progress.
 *
 * @param options.mirror gets each written entry once, unless the visitor opts out or is on the suppression list;
 * undefined: no mirror
 * @param options.stepsPerVisit steps with a higher seq are not stored
 * @param options.tooManySteps called when a visit sends such steps
 */
export function createSaveProgress(options: {
  readonly store: ProgressStore;
  readonly mirror?: ((saved: SavedProgress) => void) | undefined;
  readonly addressBytes: AddressBytes;
  readonly stepsPerVisit: number;
  tooManySteps(): void;
  readonly now: Clock;
}): SaveProgress {
  const { store, mirror, addressBytes, stepsPerVisit, tooManySteps, now } = options;

  return async (body, visitor) => {
    if (!(await addressBytes.take(visitor.networkKey, bytesOf(body)))) throw tooManyBytes(now);
    const session = record(body.session);
    const leadId = String(session.lead_id).toLowerCase();
    const survey = text(session.survey, NAME_CHARACTERS);
    const data = Array.isArray(body.data) ? body.data : [];
    const entries = new Map<number, ProgressRecord>();
    for (const given of data) {
      const entry = progressEntry(record(given), leadId, survey);
      if (entry && !entries.has(entry.seq)) entries.set(entry.seq, entry);
    }
    const kept = [...entries.values()].filter(({ seq }) => seq <= stepsPerVisit);
    try {
      const click = clickRecord(session, leadId, survey, visitor);
      const written = await store.save(click, kept, visitor.secretSha256);
      const data = written.flatMap((seq) => wireEntry(entries.get(seq)));
      if (mirror && data.length > 0 && (await store.mayMirror(leadId))) {
        mirror({ session: sessionOf(click), data });
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { userBackupStatus: false, userProgressionStatus: false };
    }
    if (kept.length < entries.size) {
      tooManySteps();
      throw new OverLimitError('too_many_steps', LATER_SECONDS);
    }
    return { userBackupStatus: true, userProgressionStatus: true };
  };
}

/** Wraps the use case for forms: beyond a limit the step is not stored, but the visitor may continue. */
export function withoutLimit(saveProgress: SaveProgress): SaveProgress {
  return async (...request) => {
    try {
      return await saveProgress(...request);
    } catch (error) {
      if (!(error instanceof OverLimitError)) throw error;
      return { userBackupStatus: true, userProgressionStatus: true };
    }
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function text(value: unknown, longest: number): string {
  return typeof value === 'string' ? beginning(storableText(value), longest) : '';
}

function texts(value: unknown): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, each] of Object.entries(record(value))) {
    if (kept.length === MAX_PARAMETERS) break;
    if (typeof each !== 'string') continue;
    kept.push([text(name, NAME_CHARACTERS), text(each, TEXT_CHARACTERS)]);
  }
  return Object.fromEntries(kept);
}

/** Returns the parameters to store. Our own page has removed personal ones already; other callers may not have. */
function clickParams(given: unknown, { secGpc, adCookies }: Visitor): Record<string, string> {
  const params = Object.fromEntries(
    Object.entries(texts(given)).filter(([name]) => !isPersonalParameter(name)),
  );
  return secGpc ? withoutAdIds(params) : { ...params, ...adCookies };
}

function clickRecord(
  session: Readonly<Record<string, unknown>>,
  leadId: string,
  survey: string,
  visitor: Visitor,
): ClickRecord {
  return {
    id: clickIdOf({ ef_transaction_id: text(session.click_id, NAME_CHARACTERS) }, leadId),
    leadId,
    survey,
    landingPage: text(session.landing_page, 2000),
    params: clickParams(session.params, visitor),
    referer: text(session.referer, 2000),
    ip: visitor.address,
    userAgent: visitor.userAgent,
    secGpc: visitor.secGpc,
    variants: visitor.variants ?? '',
  };
}

/**
 * Converts a click back to the wire format for the mirror. IP address, user agent and the queries of addresses,
 * which may hold personal data, stay here.
 */
function sessionOf(click: ClickRecord): SavedProgress['session'] {
  const { id, leadId, survey, landingPage, params, referer } = click;
  return {
    lead_id: leadId,
    survey,
    click_id: id,
    landing_page: withoutQuery(landingPage),
    params,
    referer: withoutQuery(referer),
  };
}

function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : url.origin + url.pathname;
}

/** What is for our own numbers: the mirror does not get it. */
const ownKinds = ['refused', 'failed'];

/** Converts an entry back to the wire format. */
function wireEntry(entry: ProgressRecord | undefined): SavedProgress['data'] {
  if (entry === undefined || ownKinds.includes(entry.kind)) return [];
  const { leadId: _, survey: __, refused: ___, seconds, at, ...rest } = entry;
  return [{ ...rest, ...(seconds === null ? {} : { seconds }), ...(at === null ? {} : { at }) }];
}

/** Returns the known ones of the refused fields as text. */
function refusedFields(given: unknown): string {
  const names = Array.isArray(given) ? given.slice(0, MAX_PARAMETERS) : [];
  return [
    ...new Set(names.filter((name) => typeof name === 'string' && isAskedField(name))),
  ].join();
}

function progressEntry(
  given: Readonly<Record<string, unknown>>,
  leadId: string,
  survey: string,
): ProgressRecord | undefined {
  const { seq, seconds, at } = given;
  if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 1 || seq > MAX_SEQ) {
    return undefined;
  }
  const step = text(given.step, NAME_CHARACTERS);
  const kind = text(given.kind, NAME_CHARACTERS);
  if (step === '' || kind === '') return undefined;
  const answers = Object.fromEntries(
    Object.entries(texts(given.answers)).filter(([name]) => isAskedField(name)),
  );
  const time = typeof at === 'string' ? new Date(at) : new Date(Number.NaN);
  const isLikely = time.getUTCFullYear() >= 2000 && time.getUTCFullYear() <= 2200;
  return {
    leadId,
    seq,
    survey,
    step,
    kind,
    answers,
    refused: kind === 'refused' ? refusedFields(given.refused) : null,
    seconds: typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null,
    at: isLikely ? time.toISOString() : null,
  };
}
