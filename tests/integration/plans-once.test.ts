/** Whatever plans, operators and workers do, and in whatever order: no buyer gets a lead again that it took. */
import fc from 'fast-check';
import { Kysely, PostgresDialect } from 'kysely';
import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { OperatorError } from '../../src/server/operators/operator-error.ts';
import { makePlan } from '../../src/server/operators/plans/make-plan.ts';
import { cancelPlan, startPlan } from '../../src/server/operators/plans/read-plans.ts';
import { runPortion } from '../../src/server/operators/plans/run-plan.ts';
import { resend } from '../../src/server/operators/resend.ts';
import { suppress } from '../../src/server/privacy/suppress.ts';
import type { Schema } from '../../src/server/storage/schema.ts';
import { controlled, forgetLeads, pass, type TestLead } from '../support/delivery.ts';
import { deliveryForTests } from '../support/delivery-site.ts';
import { runnerFor } from '../support/job-clock.ts';
import { people, personKey } from '../support/person-keys.ts';

const site = await deliveryForTests();
const { pool, insertMany, worker, advance } = site;
const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
const maker = { pool, db, personKey, timeZone: 'UTC', destinationNames: ['desk'] };

const LEADS = 4;
const lead = fc.nat(LEADS - 1);
/** How the buyer answers a lead that is new to it. `lost`: it takes the lead, and the answer is lost. */
const answer = fc.constantFrom('delivered', 'duplicate', 'rejected', 'failed', 'lost');

type Step =
  | { readonly kind: 'send'; readonly answers: readonly string[] }
  | { readonly kind: 'plan' | 'start' | 'cancel' }
  | { readonly kind: 'portion'; readonly size: number }
  | { readonly kind: 'resend' | 'suppress'; readonly lead: number }
  | { readonly kind: 'together'; readonly steps: readonly Step[] };

const simple: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('send'),
    answers: fc.array(answer, { minLength: 4, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constantFrom('plan', 'start') }),
  fc.record({ kind: fc.constant('cancel') }),
  fc.record({ kind: fc.constant('portion'), size: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('resend', 'suppress'), lead }),
) as fc.Arbitrary<Step>;
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: simple },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('together' as const),
        steps: fc.array(simple, { minLength: 2, maxLength: 3 }),
      }),
    },
  ),
  { minLength: 6, maxLength: 25 },
);

/** A buyer that remembers what it took, and the world around it. */
async function begin() {
  await forgetLeads(pool);
  await pool.query('truncate plans, plan_items, audit_log, destination_health');
  const leads = await insertMany(LEADS, { destination: 'desk' });
  const [taken, known, byHand] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const again: string[] = [];
  const plans: string[] = [];
  let answers: string[] = [];
  const desk = controlled(
    'desk',
    async ({ leadId }) => {
      // An operator may send one lead again that the buyer knows from another source.
      if (taken.has(leadId) || (known.has(leadId) && !byHand.has(leadId))) again.push(leadId);
      const said = answers.shift() ?? 'failed';
      if (said === 'delivered' || said === 'lost') taken.add(leadId);
      if (said === 'duplicate') known.add(leadId);
      const outcome = said === 'lost' ? 'unknown' : said;
      return { outcome: outcome as 'delivered', durationMs: 1 };
    },
    { recognisesDuplicates: false },
  );
  const sender = worker([desk]);

  async function take(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'together':
        return Promise.all(step.steps.map((each) => permitted(each)));
      case 'send':
        answers = [...step.answers];
        advance(60_000);
        return pass(sender);
      case 'plan': {
        const leadIds = leads.map(({ leadId }) => leadId);
        const { id } = await makePlan(maker, { action: 'resend', reason: 'x', leadIds }, 'x');
        return plans.push(id);
      }
      case 'start':
        return startPlan(pool, plans.at(-1) ?? uuid(), 'x');
      case 'cancel':
        return cancelPlan(pool, plans.at(-1) ?? uuid());
      case 'portion':
        return runPortion(runnerFor(pool), plans.at(-1) ?? uuid(), step.size);
      case 'resend':
        byHand.add(idOf(leads, step.lead));
        return resend(pool, idOf(leads, step.lead), { force: false, actor: 'x' });
      case 'suppress':
        return suppress(people(pool), idOf(leads, step.lead), 'x');
    }
  }

  /** Takes a step that operators may be refused. */
  async function permitted(step: Step): Promise<void> {
    await take(step).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
    });
  }
  return { permitted, again };
}

function idOf(leads: readonly TestLead[], index: number): string {
  return (leads[index] as TestLead).leadId;
}

test('a lead that a buyer took is never sent to it again', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = await begin();
      for (const step of taken) await world.permitted(step);
      expect(world.again).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
