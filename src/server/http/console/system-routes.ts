/** The System page: third parties, versions, settings, database, audit log. */
import { Type } from '@sinclair/typebox';
import { textOf, uuid } from '../../../model/messages/console/requests.ts';
import type { PartyTest, SystemAnswer, SystemParty } from '../../../model/messages/console/work.ts';
import {
  type DestinationState,
  LEADS_LOOKED_AT,
  readConsentTexts,
  readDatabase,
  readDestinationStates,
  readRulesVersions,
} from '../../insight/system.ts';
import { listAudit } from '../../people/audit.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { perMinute } from '../route-options.ts';
import { admin, type ConsoleContext, type ConsoleRoutes, operator, viewer } from './context.ts';

const auditQuery = Type.Partial(
  Type.Object({ actor: textOf(300), action: textOf(100), subject: textOf(300), after: uuid }),
);

const ofParty = Type.Object({ party: textOf(100) });

/** The routes of the System page. Settings and the audit log are for admins. */
export const systemRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, copy, settings, system } = context;

  app.get('/api/system', viewer(), async (): Promise<SystemAnswer> => {
    const [destinations, rules, consents, database] = await Promise.all([
      readDestinationStates(pool),
      readRulesVersions(pool, system.rulesVersion),
      readConsentTexts(copy.pool),
      readDatabase(pool, settings.databaseUrl === undefined ? settings.dataDir : undefined),
    ]);
    const parties = partiesOf(context, destinations);
    return { parties, rules, consents, leadsLookedAt: LEADS_LOOKED_AT, database };
  });

  app.get('/api/system/settings', admin(), async () => settings.lines);

  app.get('/api/system/audit', admin({ querystring: auditQuery }), ({ query }) =>
    listAudit(pool, query),
  );

  app.post(
    '/api/system/parties/:party/test',
    // Some calls cost a credit.
    operator({ params: ofParty }, { rateLimit: perMinute(10) }),
    async (request): Promise<PartyTest> => {
      const { party } = request.params;
      const known = settings.thirdParties.find(({ name }) => name === party);
      if (known === undefined || !canTest(known.state)) {
        throw new OperatorError('not_found', 'There is no such third party, or it is not set up.');
      }
      await context.audit(request, { action: 'party.tested', subject: party });
      const startedMs = performance.now();
      const found = await system.testParty(party);
      const ms = Math.round(performance.now() - startedMs);
      return found === undefined
        ? { ok: false, text: 'It cannot be tested: open a page that uses it.', ms }
        : { ok: found.state === 'works', text: found.text, ms };
    },
  );
};

function canTest(state: SystemParty['state']): boolean {
  return state === 'real' || state === 'sandbox';
}

function partiesOf(
  { settings, system }: ConsoleContext,
  destinations: readonly DestinationState[],
): SystemParty[] {
  const services = system.services();
  return settings.thirdParties.map(({ name, title, state, needs, instead = null }) => {
    const isUsed = canTest(state);
    const destination = destinations.find((each) => each.destination === name);
    const pausedBy = (isUsed && destination?.pausedBy) || null;
    const isLeftAlone = pausedBy === 'answer';
    const circuit = destination && (isLeftAlone ? 'open' : 'closed');
    const service = services.get(name);
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
