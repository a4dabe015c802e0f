/**
 * Fills an empty database with 30 days of invented visits, leads, deliveries and requests, for people who
 * evaluate the product. The real use cases decide and write, with the clock set to the past; then the times that
 * the database gave are moved back.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { currentConsent, publishedConsents } from '../../content/consent/index.ts';
import { flowOf } from '../../src/flows/surveys.ts';
import type { PersonKey } from '../../src/intake/person-key.ts';
import type { Visitor } from '../../src/intake/visitor.ts';
import { leadBody } from '../../src/journey/lead-body.ts';
import { newVisit } from '../../src/journey/visit.ts';
import type { Settings } from '../../src/server/config/settings.ts';
import { countingOptions, recount } from '../../src/server/operators/counts/job.ts';
import { loadZipLookup } from '../../src/server/providers/zip.ts';
import { compose } from '../../src/server/wiring/use-cases.ts';
import { inventedHttp, type Sending, sendDue } from './deliveries.ts';
import { actAsOperators, pausedSince, takeRequests } from './operators.ts';
import { createRandom, type Random } from './random.ts';
import { beginnings, type InventedVisit, type Inventing, inventVisit } from './visits.ts';

const VISITS_PER_DAY = 110;
const AT_ONCE = 24;
/** The name of the chore that marks a database with invented visits. */
const MARK = 'demo-history';

type Randoms = [Random, Random, Random];

export type HistoryOptions = {
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  readonly settings: Settings;
  readonly log: Logger;
  readonly now: Date;
  readonly seed?: number;
  /** Default: about 2 800 visits. */
  readonly visitsPerDay?: number;
};

/** The database has visits that are not invented. */
export class HistoryRefused extends Error {
  override readonly name = 'HistoryRefused';
}

/**
 * Fills the database.
 * @returns the number of visits and leads; undefined: the history is there already
 * @throws HistoryRefused for a database with visits of its own
 */
export async function fillHistory(
  options: HistoryOptions,
): Promise<{ visits: number; leads: number } | undefined> {
  const { pool, personKey, log, now, seed = 20, visitsPerDay = VISITS_PER_DAY } = options;
  const settings = withoutServices(options.settings);
  if (!(await isEmpty(pool))) return undefined;
  // Apart, so that the order of rows in the database changes no visit.
  const [random, ofSending, ofPeople] = [0, 1, 2].map((n) => createRandom(seed + n)) as Randoms;
  const past = new AsyncLocalStorage<Date>();
  const names = [settings.site.companyName, ...settings.formerCompanyNames];
  const http = inventedHttp();
  const { useCases, drain, stopAlerts } = await compose({
    ...{ settings, pool, personKey, http, log, wake: () => undefined },
    ...{ observer: undefined, leadObserver: undefined, batchDone: undefined },
    now: () => past.getStore() ?? now,
    // Today's texts may be younger than the history.
    consents: publishedConsents(names).map((each) => ({ ...each, published: '2020-01-01' })),
  });
  const inventing: Inventing = {
    ...{ random, now, timeZone: settings.timeZone, lookUpZip: await loadZipLookup() },
    dateOfBirthStates: settings.site.dateOfBirthStates,
    origin: settings.publicUrl ?? 'https://claims.example.com',
    surveys: new Map(
      await Promise.all(
        settings.surveys.map(async (survey) => {
          return [survey.path, { survey, flow: await flowOf(survey) }] as const;
        }),
      ),
    ),
  };
  const visits = beginnings(inventing, visitsPerDay)
    .map((began, serial) => inventVisit(inventing, began, serial))
    // The last ones are not over yet.
    .filter(({ ended }) => ended <= now);
  const posted: string[] = [];
  await inTurns(visits, async (visit, serial) => {
    const store = storing(visit, { serial, settings, inventing });
    await past.run(visit.began, () => useCases.saveProgress(store.progress, store.visitor));
    const { body } = store;
    if (body === undefined) return;
    await past.run(visit.ended, () => useCases.acceptLead(body, store.visitor));
    posted.push(store.leadId);
  });
  await drain();
  await moveBack(pool);
  await inventChecks(pool);
  const people = { pool, personKey };
  const acting = { now, random: ofPeople };
  await actAsOperators.release(people, acting);
  const connected = settings.destinations.flatMap(({ definition, values }) =>
    values ? [definition.connect(values, http)] : [],
  );
  const sending: Sending = {
    pool,
    random: ofSending,
    now,
    http,
    destinations: connected,
    paused: pausedSince(now),
  };
  await sendDue(sending);
  await actAsOperators.resend(people, acting);
  await sendDue(sending);
  await takeRequests({ ...people, ...acting, takeOptOut: useCases.takeOptOut });
  await actAsOperators.rest(people, acting);
  await stopAlerts();
  await pool.query('insert into jobs (name, done_at) values ($1, $2)', [MARK, now]);
  await pool.query('analyze');
  // The server's own counting rests so long between its portions that people would wait for minutes.
  await recount(pool, await countingOptions(settings));
  return { visits: visits.length, leads: posted.length };
}

/** Returns the settings of a server that asks nobody: the history invents what third parties say. */
function withoutServices(settings: Settings): Settings {
  const { answersDays, keepsActive } = settings.checks;
  const nobody = { phone: undefined, email: undefined, gibberish: undefined, zip: undefined };
  const checks = {
    ...nobody,
    verification: undefined,
    saveData: undefined,
    answersDays,
    keepsActive,
  };
  return { ...settings, checks, slack: undefined };
}

async function isEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ has_visits: boolean; is_ours: boolean }>(
    `select exists (select 1 from visits) or exists (select 1 from leads) as has_visits,
       exists (select 1 from jobs where name = $1) as is_ours`,
    [MARK],
  );
  if (rows[0]?.is_ours) return false;
  if (rows[0]?.has_visits) {
    throw new HistoryRefused(
      'The database has visits already: --history fills only an empty one. Set DATA_DIR to a new folder.',
    );
  }
  return true;
}

/** Works on all items, some at a time, beginning in their order. */
async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of rest) await work(item, index);
    }),
  );
}

type Storing = {
  readonly serial: number;
  readonly settings: Settings;
  readonly inventing: Inventing;
};

/** Returns the two requests that the visitor's browser made, and who sent them. */
function storing(invented: InventedVisit, { serial, settings, inventing }: Storing) {
  const { survey, person, steps, answers, ended, began, href, referer, variants } = invented;
  const place = inventing.lookUpZip(person.zip);
  const random = createRandom(serial + 1);
  const visit = {
    ...newVisit(survey.path, {
      ...{ href, referrer: referer, now: began.getTime(), chance: random.next() },
    }),
    timeOnSteps: steps
      .flatMap(({ kind, step, seconds }) => (kind === 'answered' ? [`${step}:${seconds}`] : []))
      .join('|'),
    consentShownAt: new Date(ended.getTime() - 15_000).toISOString(),
    collected: settings.destinations.some(
      ({ definition, values }) => definition.name === 'trustedform' && values,
    )
      ? certificateOf(random, settings)
      : {},
  };
  const visitor: Visitor = {
    ...{ address: person.address, addressKey: person.address, networkKey: person.address },
    ...{ userAgent: person.userAgent, secGpc: false, variants },
    secretSha256: createHash('sha256')
      .update(visit.secret ?? '')
      .digest('base64url'),
    page: inventing.origin + survey.path,
    siteOrigin: inventing.origin,
  };
  const entries = steps.map(({ at, refused, ...entry }, index) => ({
    ...{ seq: index + 1, at: at.toISOString() },
    ...entry,
    ...(refused && { refused }),
  }));
  const { text, version } = currentConsent(survey.language, settings.site.companyName, survey.flow);
  const withoutConsent = random.chance(0.006);
  return {
    leadId: visit.session.lead_id,
    visitor,
    progress: { session: visit.session, data: entries },
    body:
      answers &&
      ({
        ...leadBody({
          ...{ survey, visit, answers, place, earlier: {}, derived: {} },
          consent: withoutConsent ? { text: '', version: '' } : { text, version },
          userAgent: person.userAgent,
          submittedAt: ended.toISOString(),
        }),
        // A few leave a number that nobody can call, so their leads are held.
        ...(random.chance(0.008) && { phone: '5550100' }),
      } as Readonly<Record<string, unknown>>),
  };
}

/** Returns the fields of a consent certificate of the stand-in. */
function certificateOf(random: ReturnType<typeof createRandom>, { destinations }: Settings) {
  const { values } = destinations.find(({ definition }) => definition.name === 'trustedform') ?? {};
  const [origin = ''] = (values?.TRUSTEDFORM_ORIGINS ?? []) as readonly string[];
  const id = Array.from({ length: 40 }, () => random.integer(0, 16).toString(16)).join('');
  return { trusted_form_cert_id: id, trustedform_cert_url: `${origin}/${id}` };
}

/** Gives every row the time at which its visit happened. */
async function moveBack(pool: pg.Pool): Promise<void> {
  for (const statement of [
    'update progress set received_at = at',
    `update visits v set created_at = p.first, seen_at = p.last
     from (select lead_id, min(at) as first, max(at) as last from progress group by lead_id) as p
     where p.lead_id = v.lead_id`,
    'update clicks c set created_at = v.created_at from visits v where v.lead_id = c.lead_id',
    `update leads l set created_at = r.received_at, updated_at = r.received_at
     from lead_revisions r where r.lead_id = l.id and r.revision = 1`,
    `update consents c set created_at = r.received_at
     from lead_revisions r where r.lead_id = c.lead_id and r.revision = c.revision`,
    `update deliveries d set created_at = l.created_at, due_at = case when d.due_at is not null then l.created_at end
     from leads l where l.id = d.lead_id`,
  ]) {
    await pool.query(statement);
  }
}

/** Writes the checks that the visitors' numbers and addresses had. */
async function inventChecks(pool: pg.Pool): Promise<void> {
  const said = {
    phone: { valid: true, active: true, line_type: 'Wireless', carrier: 'Example Wireless' },
    email: { valid: true, disposable: false },
  };
  for (const [service, answer] of Object.entries(said)) {
    await pool.query(
      `insert into lead_checks (id, lead_id, service, asked_sha256, at, duration_ms, outcome, said)
       select gen_random_uuid(), id, $1, '', created_at - interval '12 seconds',
         140 + (hashtext(id::text || $1) & 255), 'answered', $2::jsonb from leads`,
      [service, JSON.stringify(answer)],
    );
  }
}
