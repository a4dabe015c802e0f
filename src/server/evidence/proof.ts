/** Proves what was sent: rebuilds each request and compares its hash with the stored hash. */
import { hash, randomUUID } from 'node:crypto';
import type { AttemptBytes } from '../../model/messages/console/leads.ts';
import type { Override } from '../../model/rules/derive-fields.ts';
import {
  type ConnectedDestination,
  type DestinationDefinition,
  type DestinationEvent,
  type DestinationSetting,
  timed,
} from '../delivery/destinations/index.ts';
import { type DeliveryHistory, type LeadHistory, listOf } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { DeliveryAttemptRow } from '../platform/database/schema.ts';

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

/** Rebuilds the request of an attempt, with a placeholder in place of the account's key. */
function rebuild(
  { lead, mapped_account, revisions, checks }: LeadHistory,
  delivery: DeliveryHistory,
  destination: ConnectedDestination | undefined,
  { sent_sha256, account, payload_version, revision: sentRevision }: DeliveryAttemptRow,
  placeholder: string,
): { readonly body: string } | { readonly why: string } {
  const cannot = (why: string) => ({ why: `what was sent cannot be made again: ${why}` });
  if (lead.state === 'erased') return cannot('the lead was erased');
  if (sent_sha256 === null) return { why: 'no hash of what was sent was kept' };
  if (destination === undefined) return cannot(`${delivery.destination} is not configured here`);
  const revision = revisions.find((one) => one.revision === sentRevision);
  if (revision === undefined || payload_version === null)
    return cannot('its revision is not known');
  const verification = checks.find(
    ({ service, outcome, revision: of }) =>
      service === 'verification' && outcome === 'answered' && of === sentRevision,
  );
  const prepared = destination.prepare({
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
  });
  if (!('body' in prepared)) return cannot(prepared.error ?? 'nothing can be sent');
  return { body: prepared.body };
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
  const made = rebuild(history, delivery, offline(own), attempt, placeholder);
  const masked = offline(own && withoutSecrets(own));
  const shown = rebuild(history, delivery, masked, attempt, HIDDEN);
  if ('why' in made) return { sent: null, isProven: false, proof: made.why };
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

const HIDDEN = '••••••';

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
