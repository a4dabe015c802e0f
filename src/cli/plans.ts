/** Makes and runs a plan. Commands that change many leads are plans, as in the console. */

import type { PlanRequest } from '../contract/console/requests.ts';
import type { Plan } from '../contract/console/work.ts';
import { makePlan } from '../server/operators/plans/make-plan.ts';
import { cancelPlan, readPlan, startPlan } from '../server/operators/plans/read-plans.ts';
import { runPlan } from '../server/operators/plans/run-plan.ts';
import { type OperatorDatabase, warnOfUncounted } from './connect.ts';
import { confirm, counted, deliveriesText, operatorName } from './operator.ts';

/**
 * Makes a plan, shows it, asks for a confirmation, and runs it to its end. An interruption or a refusal cancels it.
 *
 * @param yes whether `--yes` confirmed it
 */
export async function runAsPlan(
  database: OperatorDatabase,
  request: PlanRequest,
  yes: true | undefined,
): Promise<void> {
  const { pool, signal, leadList } = database;
  await warnOfUncounted(database);
  const plan = await makePlan({ pool, ...leadList }, request, operatorName());
  const { id, counts } = plan;
  for (const line of planLines(plan)) console.log(line);
  try {
    if (counts.due === 0) return void (await cancelPlan(pool, id));
    await confirm(yes, {
      question: `Start to ${plan.action} ${itemsText(plan, counts.due)}?`,
      why: 'What was sent cannot be called back',
      refusal: 'Nothing was changed.',
    });
    const entry = { action: 'plan.started', subject: id, reason: plan.reason };
    await database.audit({ ...entry, detail: { action: plan.action, ...counts } });
    await startPlan(pool, id, operatorName());
    await runPlan(pool, id, signal);
  } catch (error) {
    const { state } = await readPlan(pool, id);
    if (state === 'ready' || state === 'running') await cancelPlan(pool, id);
    throw error;
  }
  const ended = await readPlan(pool, id);
  console.log(endLine(ended, database));
}

function itemsText({ action }: Plan, count: number): string {
  return action === 'resend' ? deliveriesText(count) : counted(count, 'lead');
}

function planLines(plan: Plan): string[] {
  const { counts, buyers, refusals } = plan;
  const sends = buyers.map(({ destination, deliveries }) => `${deliveries} to ${destination}`);
  const to = sends.length === 0 ? '' : `: ${sends.join(', ')}`;
  return [
    counts.due === 0
      ? 'There is nothing to do.'
      : `The plan is to ${plan.action} ${itemsText(plan, counts.due)}${to}.`,
    ...refusals.map(({ text, items }) => `${itemsText(plan, items)} left out: ${text}`),
  ];
}

function endLine(plan: Plan, { serverIsRunning }: OperatorDatabase): string {
  const { done, failed, passedOver, due } = plan.counts;
  const when = serverIsRunning === false ? 'when the server runs' : 'by the running server';
  return [
    `${itemsText(plan, done)} queued, sent ${when}.`,
    passedOver > 0 && `${passedOver} left out.`,
    failed > 0 && `${failed} failed.`,
    due > 0 && `${due} left as they were.`,
  ]
    .filter(Boolean)
    .join(' ');
}
