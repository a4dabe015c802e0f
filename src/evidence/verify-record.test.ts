/** What the readable copies and the manifest say is compared with what was logged. */
import { expect, test } from 'vitest';
import {
  json,
  makeIssuer,
  makePack,
  now,
  sampleEvents,
} from '../../tests/support/evidence-pack.ts';
import { rulesVersionOf } from './partners.ts';
import { verifyPack } from './verify-pack.ts';

const issuer = await makeIssuer();
const kept = { trusted: { keys: { keys: [issuer.key] }, from: 'https://example.test' }, now };

/** Returns what the issuer's own pack fails at. */
async function failsAt(partners: object, manifest: object = {}): Promise<string[]> {
  const events = await sampleEvents();
  const rulesVersion = await rulesVersionOf(listed);
  const { bytes } = await makePack({
    ...{ issuer, manifest },
    events: {
      ...events,
      'logged/revision-1.json': { ...events['logged/revision-1.json'], rulesVersion },
    },
    files: (files) => void files.set('partners.json', json(partners)),
  });
  const { checks } = await verifyPack(bytes, kept);
  return checks.flatMap(({ id, outcome, details }) =>
    outcome === 'failed' ? [id, ...details] : [],
  );
}

const listed = { files: 'f', settings: 's', firms: [{ name: 'Firm & Sons', states: 'all' }] };
const receivedAt = '2025-03-23T21:00:02.000Z';

test('the list of partners is the one of the logged version of the rules, or is left out', async () => {
  expect(await failsAt({ ...listed, revision: 1 })).toEqual([]);
  expect(await failsAt({ firms: null, why: 'not kept' })).toEqual([]);
  const other = ['record', expect.stringContaining('the firms are not those')];
  expect(await failsAt({ ...listed, firms: [...listed.firms, { name: 'Added' }] })).toEqual(other);
  expect(await failsAt({ ...listed, settings: 't' })).toEqual(other);
  expect(await failsAt({ firms: 'all' })).toEqual(['record', expect.any(String)]);
});

test('the times of the manifest are those of the log', async () => {
  const times = { leadReceivedAt: receivedAt, revisionReceivedAt: receivedAt };
  expect(await failsAt(listed, times)).toEqual([]);
  for (const name of Object.keys(times)) {
    const changed = { ...times, [name]: '2025-03-23T21:00:03.000Z' };
    expect(await failsAt(listed, changed)).toEqual([
      'record',
      expect.stringContaining(`${name} is not as logged`),
    ]);
  }
});
