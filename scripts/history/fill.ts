/** Fills an empty database with 30 days of invented visits, leads, deliveries and money. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type pg from 'pg';
import { type Logger, pino } from 'pino';
import { currentConsent, publishedConsents } from '../../content/consent/index.ts';
import { flowOf } from '../../src/model/flows/surveys.ts';
import type { PersonKey } from '../../src/model/lead/person-key.ts';
import { leadBody } from '../../src/model/visit/lead-body.ts';
import { newVisit } from '../../src/model/visit/visit.ts';
import { loadZipTable } from '../../src/server/checks/index.ts';
import { countingOptions, recount } from '../../src/server/insight/index.ts';
import { openDatabase } from '../../src/server/platform/database/database.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { openPersonKeys } from '../../src/server/platform/database/person-keys.ts';
import { startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { loadSettings } from '../../src/server/settings/environment.ts';
import { parseSettings, type Settings } from '../../src/server/settings/settings.ts';
import { compose } from '../../src/server/wiring/use-cases.ts';
import { CHOOSE, inventBuyers, inventMoney } from './money.ts';
import { chance, DAYS, inventVisit } from './visits.ts';

const AT_ONCE = 24;
const ORIGIN = 'https://claims.example.com';

/** SQL that moves the times of visits, leads and deliveries to the invented times. */
const MOVE_BACK = `
update progress set received_at = at;
update visits v set created_at = p.first, seen_at = p.last
  from (select lead_id, min(at) as first, max(at) as last from progress group by lead_id) as p where p.lead_id = v.lead_id;
update clicks c set created_at = v.created_at from visits v where v.lead_id = c.lead_id;
update leads l set created_at = r.received_at, updated_at = r.received_at
  from lead_revisions r where r.lead_id = l.id and r.revision = 1;
update consents c set created_at = l.created_at from leads l where l.id = c.lead_id;
update deliveries d set created_at = l.created_at, due_at = case when d.due_at is not null then l.created_at end
  from leads l where l.id = d.lead_id;`;

/** SQL that invents the speed of the steps that visitors saw: three phones for each computer. */
const SPEEDS = `
insert into page_speeds (page, day, step, device, metric, bucket, views)
select v.survey, p.at::date, p.step, device, metric,
  round(typical * case device when 'slow_phone' then 1.15 when 'phone' then 1 else 0.9 end + 8 * random()), 1
from progress p join visits v on v.lead_id = p.lead_id
cross join lateral (values ('LCP', 80), ('INP', 44), ('CLS', 0)) as metrics (metric, typical)
cross join lateral (select (array['slow_phone', 'phone', 'phone', 'computer'])[1 + floor(4 * random())::int] as device
  where p.at is not null) as devices
where p.kind = 'viewed' and (metric <> 'LCP' or p.step = 'StartPath')
on conflict do nothing`;

/** SQL that invents attempts for due deliveries. The parameter `$1` is the present time. */
const SEND = `
with due as materialized (
  select d.id, d.due_at + interval '350 milliseconds' as at, 80 + round(800 * random() ^ 3)::integer as ms, l.revision,
    case when is_ingest and ago between interval '20 hours' and interval '27 hours' and random() < 0.6 then 'dead'
      when is_ingest and random() < 0.1 then 'rejected' when random() < 0.004 then 'uncertain' else 'delivered' end as state
  from deliveries d join leads l on l.id = d.lead_id
  cross join lateral (select split_part(d.destination, '/', 1) = 'ingest' as is_ingest, $1::timestamptz - d.due_at as ago) as facts
  where d.state = 'waiting' and not d.is_unrouted and not (d.destination = 'trustedform' and ago < interval '9 hours')
), answers (state, outcome, http_status, response) as (values
  ('delivered', 'delivered', 200, '{"status":"ACCEPTED","code":0,"message":"Lead accepted"}'),
  ('rejected', 'rejected', 200, '{"status":"DUPLICATED","code":1008,"message":"Duplicate lead within 90 days"}'),
  ('dead', 'failed', 400, '{"error":"Malformed request: unknown field sub_id5"}'),
  ('uncertain', 'unknown', null, null)
), tried as (
  insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, duration_ms,
    revision)
  select id, 1, at, at + ms * interval '1 millisecond', outcome, http_status, response, ms, revision
  from due join answers using (state)
  returning delivery_id, ended_at, response
)
update deliveries d set state = due.state, attempts = 1, due_at = null, finished_at = tried.ended_at,
  last_message = tried.response, may_have_arrived = due.state in ('delivered', 'uncertain'), revision = due.revision,
  answer_code = case when due.state = 'rejected' then '1008' end, chosen_at = case when due.state <> 'rejected' then d.chosen_at end,
  external_id = case when due.state = 'delivered' then left(md5(d.id::text), 20) end
from due join tried on tried.delivery_id = due.id where d.id = due.id`;

const PAUSE = `
insert into destination_health (destination, paused_at, paused_by, pause_reason)
  values ('trustedform', now() - interval '9 hours', 'dana@claims.example', 'Their maintenance, announced until tonight')`;

/**
 * Fills an empty database. Returns the numbers of visits and leads, or undefined if visits exist.
 */
export async function fillHistory(options: {
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  readonly settings: Settings;
  readonly log: Logger;
  readonly now: Date;
  readonly visitsPerDay?: number;
}) {
  const { pool, personKey, log, now, visitsPerDay = 110 } = options;
  const { rowCount } = await pool.query('select 1 from visits limit 1');
  if (rowCount !== 0) return undefined;
  // Invented visits call no third party.
  const { checks } = parseSettings({});
  const settings: Settings = { ...options.settings, checks, slack: undefined };
  const names = [settings.site.companyName, ...settings.formerCompanyNames];
  const past = new AsyncLocalStorage<Date>();
  const { useCases, drain, stopAlerts } = await compose({
    settings,
    pool,
    personKey,
    log,
    wake: () => undefined,
    http: { request: () => Promise.reject(new Error('The history makes no calls')) },
    observer: undefined,
    leadObserver: undefined,
    now: () => past.getStore() ?? now,
    // Gives every consent text an early date, because an invented visit may be older than the text.
    consents: publishedConsents(names).map((each) => ({ ...each, published: '2020-01-01' })),
  });
  await inventBuyers({ pool, settings, now });
  const flows = settings.surveys.map(
    async (survey) => [survey.path, { survey, flow: await flowOf(survey) }] as const,
  );
  const surveys = new Map(await Promise.all(flows));
  const { checkZip } = await loadZipTable();
  const visits = Array.from({ length: visitsPerDay * DAYS }, (_, serial) =>
    inventVisit({ settings, surveys, checkZip }, now, serial),
  ).filter(({ ended }) => ended <= now);
  let leads = 0;
  const rest = visits.values();
  const work = async () => {
    for (const invented of rest) {
      const { progress, visitor, body } = requestsOf(invented, settings);
      await past.run(invented.began, () => useCases.saveProgress(progress, visitor));
      if (body === undefined) continue;
      await past.run(invented.ended, () => useCases.acceptLead(body, visitor));
      leads += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await drain();
  await pool.query(MOVE_BACK);
  await pool.query(CHOOSE);
  await pool.query(SEND, [now]);
  await pool.query(CHOOSE);
  await pool.query(SEND, [now]);
  await pool.query(SPEEDS);
  await pool.query(PAUSE);
  await stopAlerts();
  await pool.query('analyze');
  const counting = await countingOptions(settings);
  await inventMoney({ pool, settings, now }, () => recount(pool, counting));
  return { visits: visits.length, leads };
}

/** Returns the requests that the browser of an invented visitor makes. */
function requestsOf(invented: ReturnType<typeof inventVisit>, { site, destinations }: Settings) {
  const { survey, place, steps, answers, ended, began, userAgent, address, query, referrer } =
    invented;
  const { values } = destinations.find(({ definition }) => definition.name === 'trustedform') ?? {};
  const [certifier = ''] = (values?.TRUSTEDFORM_ORIGINS ?? []) as readonly string[];
  const certificate = hash('sha1', `${address} ${began}`);
  const page = ORIGIN + survey.path;
  const arrival = { href: page + query, referrer, now: began.getTime(), chance: Math.random() };
  const proof = {
    trusted_form_cert_id: certificate,
    trustedform_cert_url: `${certifier}/${certificate}`,
  };
  const visit = {
    ...newVisit(survey.path, arrival),
    consentShownAt: new Date(ended.getTime() - 15_000).toISOString(),
    collected: values ? proof : {},
  };
  const { text, version } = currentConsent(survey.language, site.companyName, survey.flow);
  return {
    visitor: {
      address,
      addressKey: address,
      networkKey: address,
      userAgent,
      secGpc: false,
      page,
      siteOrigin: ORIGIN,
      variants: '',
      secretSha256: hash('sha256', visit.secret ?? '', 'base64url'),
    },
    progress: {
      session: visit.session,
      data: steps.map((entry, index) => ({ ...entry, seq: index + 1, at: entry.at.toISOString() })),
    },
    body:
      answers &&
      leadBody({
        survey,
        visit,
        answers,
        userAgent,
        place,
        earlier: {},
        derived: {},
        consent: chance(0.006) ? { text: '', version: '' } : { text, version },
        submittedAt: ended.toISOString(),
      }),
  };
}

/** Fills the configured database. Returns a sentence about the result. */
export async function fillDemo(): Promise<string> {
  const settings = loadSettings();
  const log = pino({ level: 'silent' });
  const { dataDir, databaseUrl } = settings;
  await using cleanUp = new AsyncDisposableStack();
  let connectionString = databaseUrl;
  if (connectionString === undefined) {
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    cleanUp.defer(() => embedded.stop());
    connectionString = embedded.connectionString;
  }
  await migrate({ connectionString, log });
  // The statement time-out is long, because changing the times of whole tables takes long.
  const timeouts = { connection: 10_000, statement: 120_000, query: 120_000 };
  const { pool, close } = openDatabase({ connectionString, poolMax: 8, log, timeouts });
  cleanUp.defer(close);
  // Does not wait for the disk at each commit, because a crash may lose made-up rows without harm.
  pool.on('connect', (client) => void client.query('set synchronous_commit = off'));
  const personKey = await openPersonKeys(pool, settings);
  const filled = await fillHistory({ pool, personKey, settings, log, now: new Date() });
  return filled
    ? `Invented 30 days: ${filled.visits} visits, ${filled.leads} leads.`
    : 'The database has visits already: --history fills only an empty one.';
}
