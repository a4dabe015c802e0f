import * as v from 'valibot';
import {
  type Exchange,
  judge,
  reply,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';
import { readQuery } from '../strict-body.ts';

const echoQuery = v.strictObject({ format: v.optional(v.picklist(['json', 'text'])) });

/**
 * Returns the caller's address: `GET /ip?format=json` (ipify: `{ip}`; without `format` plain text) and
 * `GET /cdn-cgi/trace` (lines of `name=value`, one of them `ip=`).
 */
function visitorIpService(context: SandboxContext): Service {
  const echo = judge(
    (exchange) => readQuery(echoQuery, exchange),
    ({ format }, { ip }) => reply(format === 'json' ? { ip } : ip),
    () => ({ status: 400, body: 'Bad Request' }),
  );

  function trace(exchange: Exchange) {
    const lines = [
      'fl=0f0',
      `h=${exchange.headers.host ?? ''}`,
      `ip=${exchange.ip}`,
      `ts=${context.now().getTime() / 1000}`,
      'visit_scheme=http',
      `uag=${exchange.headers['user-agent'] ?? ''}`,
      'colo=SBX',
      'loc=US',
      'tls=off',
    ];
    return reply(`${lines.join('\n')}\n`);
  }

  return {
    name: 'ip',
    title: 'Visitor address (IP echo, CDN trace)',
    settings: () => ({}),
    calledFromPages: true,
    routes: [
      { method: 'GET', path: '/ip', handle: echo },
      { method: 'GET', path: '/cdn-cgi/trace', handle: trace },
    ],
  };
}

export const standIns: readonly StandIn[] = [visitorIpService];
