/** Routes of the System page: third parties, database, settings and audit log. */
import { Type } from '@sinclair/typebox';
import { textOf, uuid } from '../../../model/messages/console/requests.ts';
import type { PartyTest, SystemParty } from '../../../model/messages/console/work.ts';
import { type DestinationHealth, readHealth } from '../../delivery/index.ts';
import { listAudit } from '../../people/index.ts';
import { notFound } from '../../platform/operator-error.ts';
import { perMinute } from '../limits.ts';
import { type Area, admin, type ConsoleContext, operator, viewer } from './route.ts';

const auditQuery = Type.Partial(
  Type.Object({ actor: textOf(300), action: textOf(100), subject: textOf(300), after: uuid }),
);
/** Maximum number of test calls per IP address and minute. Some calls cost a credit. */
const TESTS_PER_MINUTE = 10;

export const systemArea: Area = (context) => {
  const { pool, settings } = context;
  return {
    'GET /api/system': viewer({}, async () => {
      const names = settings.destinations.map(({ definition }) => definition.name);
      return partiesOf(context, await readHealth(pool, names));
    }),

    'GET /api/system/settings': admin({}, async () => settings.lines),

    'GET /api/system/audit': admin({ querystring: auditQuery }, ({ query }) =>
      listAudit(pool, query),
    ),

    'POST /api/system/parties/:party/test': operator(
      { params: Type.Object({ party: textOf(100) }) },
      async (request): Promise<PartyTest> => {
        const { party } = request.params;
        const known = settings.thirdParties.find(({ name }) => name === party);
        if (known === undefined || !canTest(known.state)) {
          throw notFound('There is no such third party, or it is not set up.');
        }
        await request.audit('party.tested', party);
        const startedMs = performance.now();
        const result = await context.testParty(party);
        const ms = Math.round(performance.now() - startedMs);
        return result === undefined
          ? { ok: false, text: 'It cannot be tested: open a page that uses it.', ms }
          : { ok: result.state === 'works', text: result.text, ms };
      },
      { rateLimit: perMinute(TESTS_PER_MINUTE) },
    ),
  };
};

function canTest(state: SystemParty['state']): boolean {
  return state === 'real' || state === 'sandbox';
}

function partiesOf(
  { settings, services }: ConsoleContext,
  destinations: readonly DestinationHealth[],
): SystemParty[] {
  const called = services();
  return settings.thirdParties.map(({ name, title, state, needs, instead = null }) => {
    const isUsed = canTest(state);
    const destination = destinations.find((each) => each.destination === name);
    const pausedBy = (isUsed && destination?.pausedBy) || null;
    const isLeftAlone = pausedBy === 'answer';
    const circuit = destination && (isLeftAlone ? 'open' : 'closed');
    const service = called.get(name);
    return {
      name,
      title,
      state,
      instead,
      canTest: isUsed,
      needs: isUsed ? [] : needs,
      pausedBy: isLeftAlone ? null : pausedBy,
      circuit: (isUsed && (circuit ?? service?.circuit)) || null,
      lastError: (isUsed && (destination?.lastFailure ?? service?.lastFailure?.text)) || null,
      lastErrorAt: service?.lastFailure?.at.toISOString() ?? null,
    };
  });
}
