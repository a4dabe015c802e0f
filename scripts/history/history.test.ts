import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { databaseForTests } from '../../tests/support/own-database.ts';
import { personKey } from '../../tests/support/person-keys.ts';
import { fillHistory } from './fill.ts';

const { pool } = await databaseForTests();
const { settings } = parseSettings(sandboxEnvironment('http://127.0.0.1:4010'));

test('fillHistory invents a history without contradictions between times and counts', async () => {
  const log = pino({ level: 'silent' });
  const fill = () =>
    fillHistory({ pool, personKey, settings, log, now: new Date(), visitsPerDay: 15 });
  const filled = await fill();
  expect(filled?.visits).toBeGreaterThan(250);
  expect(filled?.leads).toBeGreaterThan(50);
  const { rows } = await pool.query(
    `select
       (select count(*)::int from visits where created_at > now() or created_at < now() - interval '31 days') as visits,
       (select count(*)::int from delivery_attempts where ended_at > now() + interval '2 minutes') as attempts,
       (select count(*)::int from deliveries d where d.attempts <> (select count(*) from delivery_attempts a
         where a.delivery_id = d.id)) as miscounted,
       (select count(*)::int from deliveries where finished_at < created_at) as backwards,
       (select count(*)::int from leads l join lead_revisions r on r.lead_id = l.id
         where l.created_at <> r.received_at) as moved,
       (select count(*)::int from deliveries where state = 'delivered') > 50 as is_delivered,
       (select sum(visits)::int from hourly_counts where dimension = 'all' and survey = '') > 200 as is_counted`,
  );
  const none = { visits: 0, attempts: 0, miscounted: 0, backwards: 0, moved: 0 };
  expect(rows).toEqual([{ ...none, is_delivered: true, is_counted: true }]);
  expect(await fill()).toBeUndefined();
});
