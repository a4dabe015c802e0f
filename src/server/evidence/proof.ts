/** Proves what was sent: rebuilds each request and compares its hash with the stored hash. */
import { hash, randomUUID } from 'node:crypto';
import { clickIdsOf } from '../../model/fields/click-ids.ts';
import type { AttemptBytes } from '../../model/messages/console/leads.ts';
import type { Override } from '../../model/rules/derive-fields.ts';
import {
  type ConnectedDestination,
  type DestinationDefinition,
  type DestinationEvent,
  type DestinationSetting,
  type SendRequest,
  timed,
  withAdRuling,
} from '../delivery/destinations/index.ts';
import { type SaleRules, statesOf } from '../delivery/index.ts';
import { type DeliveryHistory, type LeadHistory, listOf } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { DeliveryAttemptRow } from '../platform/database/schema.ts';

/** Shown in place of a key. */
const HIDDEN = '••••••';

type Http = Parameters<DestinationDefinition['connect']>[1];
const nothingIsSent: Http = {
  request: () => Promise.reject(new Error('Operators’ commands send nothing')),
  close: async () => undefined,
};

/** Returns a destination that can build requests but cannot send them. */
function offline(setting: DestinationSetting | undefined): ConnectedDestination | undefined {
  const { definition, values } = setting ?? {};
  return values === undefined ? undefined : definition?.connect(values, nothingIsSent);
}

/** What a request is made of, and for when. */
type Version = Pick<DeliveryAttemptRow, 'account' | 'payload_version' | 'revision'> & {
  /** Undefined: now. */
  readonly started_at?: Date;
};

/** Builds a delivery's request, with a placeholder in place of the account's key. */
function build(
  history: LeadHistory,
  delivery: DeliveryHistory,
  destination: ConnectedDestination | undefined,
  { account, payload_version, revision: sentRevision, started_at }: Version,
  { placeholder = HIDDEN, rules }: { readonly placeholder?: string; readonly rules?: SaleRules },
): { readonly body: string } | { readonly why: string } {
  const { lead, mapped_account, revisions, checks } = history;
  // A later attempt only asks for the result of an earlier one.
  const isResultAsked = delivery.log.some(
    (earlier) => earlier.outcome === 'later' && earlier.started_at < (started_at ?? new Date()),
  );
  const cannot = (why: string) => ({ why });
  if (lead.state === 'erased') return cannot('the lead was erased');
  if (destination === undefined) return cannot(`${delivery.destination} is not configured here`);
  const revision = revisions.find((one) => one.revision === sentRevision);
  if (revision === undefined || payload_version === null)
    return cannot('its revision is not known');
  const verification = checks.find(
    ({ service, outcome, revision: of }) =>
      service === 'verification' && outcome === 'answered' && of === sentRevision,
  );
  const request: SendRequest = {
    deliveryId: delivery.id,
    leadId: lead.id,
    isTest: lead.is_test,
    fields: revision.fields,
    overrides: listOf<Override>(revision.overrides),
    payloadVersion: payload_version,
    account,
    mappedAccount: mapped_account === null ? undefined : { ...mapped_account, key: placeholder },
    event: timed(delivery.event as DestinationEvent | null, delivery.created_at),
    verification: verification?.said ?? undefined,
    ad: destination.isAdPlatform && {
      clickIds: clickIdsOf(revision.merged ?? revision.body),
      states: statesOf(listOf(revision.decisions)),
      soldAt: saleOf(history, delivery)?.created_at,
    },
    externalId: (isResultAsked && delivery.external_id) || undefined,
    now: started_at,
  };
  const prepared = destination.prepare(rules ? withAdRuling(request, rules) : request);
  if (!('body' in prepared))
    return cannot(prepared.error ?? prepared.message ?? 'nothing can be sent');
  return { body: prepared.body };
}

/** Returns the report of the sale that a return takes back; undefined for other events. */
function saleOf({ deliveries }: LeadHistory, { destination, event }: DeliveryHistory) {
  const { type, delivery_id } = (event ?? {}) as { type?: string; delivery_id?: string };
  if (type !== 'lead.returned') return undefined;
  const key = `lead.sold ${delivery_id}`;
  return deliveries.find((one) => one.destination === destination && one.event_key === key);
}

/** Builds the request that a delivery would send now. */
export function previewRequest(
  history: LeadHistory,
  delivery: DeliveryHistory,
  { settings, rules }: { settings: readonly DestinationSetting[]; rules: SaleRules },
): AttemptBytes {
  const own = settings.find(({ definition }) => definition.name === delivery.destination);
  const destination = offline(own && withoutSecrets(own));
  const version = {
    revision: delivery.revision ?? history.lead.revision,
    account: delivery.account ?? destination?.account ?? null,
    payload_version: destination?.payloadVersion ?? null,
  };
  const why = keptBack(history, delivery, destination);
  const made = why ? { why } : build(history, delivery, destination, version, { rules });
  const [sent, proof] =
    'body' in made
      ? [made.body, 'these bytes would be sent now']
      : [null, `nothing would be sent now: ${made.why}`];
  const nothingYet = { isProven: false, isPreview: true, answer: null, status: null, sha256: null };
  return { ...nothingYet, sent, proof };
}

/** Returns why a delivery is not sent now; undefined if it would be. */
function keptBack(
  history: LeadHistory,
  delivery: DeliveryHistory,
  destination: ConnectedDestination | undefined,
): string | undefined {
  const isOptedOut = history.lead.sec_gpc && destination?.permission.stopsAtOptOut;
  const sale = destination?.isAdPlatform && saleOf(history, delivery);
  if (delivery.finished_at !== null) return 'the delivery has ended';
  if (history.is_suppressed) return 'the person has asked not to be contacted';
  if (isOptedOut) return 'the lead came with the opt-out signal';
  return sale && sale.state !== 'delivered' ? 'its sale is not confirmed there yet' : undefined;
}

/** Rebuilds an attempt's request, and compares the hash with the stored hash. */
export async function rebuildRequest(
  history: LeadHistory,
  delivery: DeliveryHistory,
  attempt: DeliveryAttemptRow,
  { settings, client }: { settings: readonly DestinationSetting[]; client: Queryable },
): Promise<Pick<AttemptBytes, 'sent' | 'isProven' | 'proof'>> {
  const own = settings.find(({ definition }) => definition.name === delivery.destination);
  const placeholder = randomUUID();
  const unproven = (proof: string) => ({ sent: null, isProven: false, proof });
  if (attempt.sent_sha256 === null) return unproven('no hash of what was sent was kept');
  const made = build(history, delivery, offline(own), attempt, { placeholder });
  const masked = offline(own && withoutSecrets(own));
  const shown = build(history, delivery, masked, attempt, {});
  if ('why' in made) return unproven(`what was sent cannot be made again: ${made.why}`);
  const { body } = made;
  const sha256 = body.includes(placeholder)
    ? await hashWithKey(client, history.lead.id, body, placeholder)
    : hash('sha256', body, 'hex');
  const isProven = sha256 === attempt.sent_sha256;
  const { revision } = attempt;
  return {
    sent: 'body' in shown ? shown.body : null,
    isProven,
    proof: isProven
      ? `the bytes sent are those of revision ${revision}`
      : `the bytes sent are not those of revision ${revision} with today's settings: the key has changed, or the bytes differ`,
  };
}

/** Replaces a destination's keys by a placeholder. */
function withoutSecrets({ definition, values }: DestinationSetting): DestinationSetting {
  const shown = Object.entries(values ?? {}).map(([name, value]) => {
    const isKey =
      definition.variables[name]?.secret && typeof value === 'string' && !URL.canParse(value);
    return [name, isKey ? HIDDEN : value];
  });
  return { definition, values: values && Object.fromEntries(shown) };
}

/** Hashes the body inside the database, because the account's key must not leave the database. */
async function hashWithKey(
  client: Queryable,
  leadId: string,
  body: string,
  placeholder: string,
): Promise<string | undefined> {
  const { rows } = await client.query<{ sha256: string }>(
    `select encode(sha256(convert_to(
       replace($2, $3, substr(key, 2, length(key) - 2)), 'UTF8')), 'hex') as sha256
     from (select (account->'key')::text as key from visits where lead_id = $1) as mapped`,
    [leadId, body, placeholder],
  );
  return rows[0]?.sha256;
}
