import type { Logger } from 'pino';
import type { Alerts } from '../base/alerts.ts';
import { createSlackAlerts, type SlackAlerts, type SlackAlertsOptions } from './slack-alerts.ts';

/** Returns alerts that go to the log, with a mark, and, if configured, to the operators' Slack channel. */
export function createAlerts({
  slack,
  http,
  log,
}: Pick<SlackAlertsOptions, 'http'> & {
  slack: Pick<SlackAlertsOptions, 'url' | 'timeoutMs'> | undefined;
  log: Pick<Logger, 'error' | 'warn'>;
}): SlackAlerts {
  const toLog: Alerts = (text, facts = {}) => log.error({ alert: true, ...facts }, text);
  if (slack === undefined) return { alert: toLog, stop: async () => undefined };
  const channel = createSlackAlerts({ ...slack, http, log });
  return {
    alert(text, facts) {
      toLog(text, facts);
      channel.alert(text, facts);
    },
    stop: () => channel.stop(),
  };
}
