import * as v from 'valibot';
import {
  act,
  judgeJson,
  refuse,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';

const schema = v.strictObject({
  text: v.pipe(
    v.string(),
    v.nonEmpty('empty'),
    v.maxLength(40_000, 'longer than 40,000 characters'),
  ),
});

/**
 * Imitates a Slack incoming webhook: `POST {secret path}` with JSON `{text}`; 200 and the text
 * `ok`. Refusals are text too: 400 `invalid_payload` or `no_text`, 404 `no_service` for another
 * path.
 */
function slackService(context: SandboxContext): Service {
  const post = judgeJson(
    schema,
    () => act(() => ({ effect: true, answer: { status: 200, body: 'ok' } })),
    (violations) => {
      const noText = violations.every((one) => one.startsWith('text:'));
      return { status: 400, body: noText ? 'no_text' : 'invalid_payload' };
    },
  );

  return {
    name: 'slack',
    title: 'Alerts (Slack webhook)',
    settings: (url) => ({ SLACK_WEBHOOK_URL: url + context.credentials.slackPath }),
    failureBodies: {
      '500': 'rollup_error',
      '429': 'rate_limited',
      '410': 'channel_is_archived',
    },
    routes: [
      {
        method: 'POST',
        path: '/services/:team/:app/:secret',
        handle: (exchange) =>
          exchange.path === context.credentials.slackPath
            ? post(exchange)
            : refuse('webhook path: not known', { status: 404, body: 'no_service' }),
      },
    ],
  };
}

export const standIns: readonly StandIn[] = [slackService];
