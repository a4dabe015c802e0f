import * as v from 'valibot';
import {
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { mediaType, readJson } from '../strict-body.ts';

const schema = v.strictObject({
  text: v.pipe(
    v.string(),
    v.nonEmpty('empty'),
    v.maxLength(40_000, 'longer than 40,000 characters'),
  ),
});

/**
 * Slack incoming webhook: `POST {secret path}` with JSON `{text}`; 200 and the text `ok`. Refusals
 * are text too: 400 `invalid_payload` or `no_text`, 404 `no_service` for another path.
 */
export function slackService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    if (exchange.path !== context.credentials.slackPath) {
      return refuse(['webhook path: not known'], { status: 404, body: 'no_service' });
    }
    const read = readJson(schema, exchange);
    if (!read.ok) {
      const json = mediaType(exchange.headers) === 'application/json';
      const noText = json && read.violations.every((one) => one.startsWith('text:'));
      return refuse(read.violations, { status: 400, body: noText ? 'no_text' : 'invalid_payload' });
    }
    return act(() => ({ effect: true, answer: { status: 200, body: 'ok' } }));
  }

  return {
    name: 'slack',
    title: 'Alerts (Slack webhook)',
    failureBodies: {
      '500': 'rollup_error',
      '429': 'rate_limited',
      '410': 'channel_is_archived',
    },
    routes: [{ method: 'POST', path: '/services/:team/:app/:secret', handle: judge }],
  };
}
