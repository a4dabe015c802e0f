import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { filledText, reply, type StandIn, takes } from '../service.ts';

const { slackPath } = credentials;
const schema = v.strictObject({
  text: v.pipe(filledText, v.maxLength(40_000, 'longer than 40,000 characters')),
});

/** The stand-in for a Slack incoming webhook. */
export const standIns: readonly StandIn[] = [
  {
    name: 'slack',
    settings: (url) => ({ SLACK_WEBHOOK_URL: url + slackPath }),
    failureBodies: { '500': 'rollup_error', '429': 'rate_limited', '410': 'channel_is_archived' },
    routes: {
      [`POST ${slackPath}`]: takes(
        'json',
        schema,
        () => reply('ok'),
        (violations) => {
          const noText = violations.every((one) => one.startsWith('text:'));
          return { status: 400, body: noText ? 'no_text' : 'invalid_payload' };
        },
      ),
    },
  },
];
