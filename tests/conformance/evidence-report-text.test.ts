import { expect, test } from 'vitest';
import { reportLines, reportText } from '../../content/evidence/report-text.ts';
import { verifyPack } from '../../src/model/evidence/verify-pack.ts';
import { makeIssuer, makePack, now, text } from '../support/evidence-pack.ts';

test.each(['en', 'es'] as const)(
  'a report in the language %s states facts only about a valid evidence pack',
  async (language) => {
    const issuer = await makeIssuer();
    const { bytes } = await makePack({ issuer });
    const trusted = { keys: { keys: [issuer.key] }, from: 'https://keys.test' };
    const proven = reportLines(await verifyPack(bytes, { now, trusted }), language).join('\n');
    const parts = ['https://example.test', 'https://keys.test', text, 'ingest · 2025', '40'].concat(
      ['Ana Diaz; 2125550123', '0–100 % · 4.2 s · 13 px · 7.1 : 1'],
    );
    for (const part of parts) {
      expect(proven).toContain(part);
    }
    expect(proven).not.toMatch(/[{}]|undefined|\[object/);

    const damaged = bytes.slice(0, -1);
    const failed = reportText(await verifyPack(damaged, { now }), language);
    expect(failed.facts).toEqual([]);
    expect(failed.checks[0]?.outcome).toBe('failed');
    expect(failed.notProven.length).toBeGreaterThan(3);
  },
);

test('reportLines removes control characters from the texts of an evidence pack', async () => {
  const issuer = await makeIssuer();
  const wrong = { issuer: 'https://a.test\u001b[2K\u202e', recipient: '\n[passed]' };
  const { bytes } = await makePack({ issuer, manifest: wrong });
  const lines = reportLines(await verifyPack(bytes, { now }), 'en');
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
