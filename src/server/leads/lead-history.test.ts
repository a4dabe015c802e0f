import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ana, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import type { DestinationSetting } from '../delivery/destinations/destination.ts';
import { ingest, ingestPayloadV1 } from '../delivery/destinations/lead-prosper.ts';
import { rebuildRequest } from '../evidence/proof.ts';
import { type LeadHistory, readHistory } from './lead-history.ts';

const { pool } = await databaseForTests(clearLedger);

const own = { campaignId: 'c', supplierId: 's', key: 'own-secret' };
const mapped = { campaignId: 'm/1', supplierId: '2', key: 'mapped-"\\-sécret' };
const configured = (key = own.key): DestinationSetting[] => [
  {
    definition: ingest,
    values: {
      INGEST_URL: 'http://127.0.0.1:1',
      INGEST_CAMPAIGN_ID: own.campaignId,
      INGEST_SUPPLIER_ID: own.supplierId,
      INGEST_KEY: key,
      INGEST_TIMEOUT_MS: 100,
    },
  },
];

/** Seeds a lead with two revisions and a delivery of the first revision. */
async function seedSent(credentials: typeof own): Promise<string> {
  const id = await seedLead(pool, {
    revisions: [ana, { ...ana, city: 'Austin' }],
    account: mapped,
    deliveries: [{ state: 'delivered', revision: 1 }],
  });
  const { rows } = await pool.query(
    'select fields from lead_revisions where lead_id = $1 and revision = 1',
    [id],
  );
  const lead = { leadId: id, isTest: false, fields: rows[0].fields, credentials };
  const body = JSON.stringify(ingestPayloadV1(lead));
  await pool.query('update delivery_attempts set sent_sha256 = $1, account = $2', [
    createHash('sha256').update(body).digest('hex'),
    `${credentials.campaignId}/${credentials.supplierId}`,
  ]);
  return id;
}

async function historyOf(id: string) {
  return readHistory(pool, id);
}

/** Rebuilds the request of the only attempt and compares its hash with the stored hash. */
async function provenOf(history: LeadHistory, settings = configured()) {
  const [delivery] = history.deliveries;
  const attempt = delivery?.log[0];
  if (!delivery || !attempt) throw new Error('nothing was sent');
  return rebuildRequest(history, delivery, attempt, { settings, client: pool });
}

test.each([
  ['our own account', own],
  ['an account that the mapping service named', mapped],
])(
  'a request with the key of %s is rebuilt with the bytes that were sent',
  async (_, credentials) => {
    const history = await historyOf(await seedSent(credentials));
    expect(history.deliveries[0]).toMatchObject({ delivered_revision: 1 });
    const request = await provenOf(history);
    expect(request).toMatchObject({
      isProven: true,
      proof: 'the bytes sent are those of revision 1',
    });
    // The request and the history show neither account's key.
    const shown = JSON.stringify({ history, request });
    expect(shown).toContain('m/1');
    expect(shown).not.toContain('own-secret');
    expect(shown).not.toContain('cret"');
  },
);
