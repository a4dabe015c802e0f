import type { FastifyInstance } from 'fastify';
import { createElement as h, type ReactNode } from 'react';
import type { SandboxState } from './control.ts';
import { type Failure, failureModes } from './failures.ts';
import { document } from './html.ts';
import type { ReceivedRequest } from './journal.ts';
import type { Service } from './service.ts';

const shownAtMost = 200;

const pretty = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function outcome(entry: ReceivedRequest): ReactNode {
  const { answer, failure } = entry;
  const said = (answer?.body as { status?: unknown } | null)?.status;
  const parts = [
    answer ? String(answer.status) : 'no answer',
    typeof said === 'string' ? said : '',
    failure ? `(told to fail: ${failure})` : '',
  ];
  const good = answer !== null && answer.status < 400 && !failure && entry.violations.length === 0;
  return h('span', { className: good ? undefined : 'bad' }, parts.filter(Boolean).join(' '));
}

const aboutAtMost = 160;

/** Returns what a request is about: the person, an event, or the text. */
function about(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { first_name, last_name, phone, email, To, text, type, data } = body as Record<
    string,
    unknown
  >;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  const { destination } = (data ?? {}) as { destination?: unknown };
  const event = [type, destination].filter((part) => typeof part === 'string').join(' of ');
  const parts = [name, phone, email, To, event, text].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  const said = parts.join(', ');
  return said.length > aboutAtMost ? `${said.slice(0, aboutAtMost)}…` : said;
}

function requestRow(entry: ReceivedRequest, titles: Map<string, string>): ReactNode {
  const query = new URLSearchParams(entry.query).toString();
  return h(
    'tr',
    { key: entry.seq },
    h('td', null, h('time', { dateTime: entry.at }, entry.at.slice(11, 23))),
    h('td', null, titles.get(entry.service) ?? 'Unknown'),
    h(
      'td',
      null,
      h('code', null, `${entry.method} ${entry.path}${query ? `?${query}` : ''}`),
      h('div', null, about(entry.body)),
      ...entry.violations.map((one) =>
        h('div', { className: 'bad', key: one }, `Violation: ${one}`),
      ),
      entry.overlapped ? h('div', { className: 'bad' }, 'An earlier request was still open') : null,
      h(
        'details',
        null,
        h('summary', null, 'Request and answer'),
        entry.body === null ? null : h('pre', null, pretty(entry.body)),
        h('pre', null, pretty(entry.headers)),
        h('pre', null, entry.answer ? pretty(entry.answer.body) : 'No answer was sent.'),
      ),
    ),
    h('td', null, outcome(entry)),
    h(
      'td',
      null,
      entry.violations.length === 0
        ? h('span', { className: 'good' }, 'Well formed')
        : h('span', { className: 'bad' }, 'Violation'),
    ),
    h(
      'td',
      null,
      entry.effect
        ? h('span', { className: 'good' }, 'Effect')
        : h('span', { className: 'soft' }, 'No effect'),
    ),
  );
}

const option = (value: string, label = value) => h('option', { key: value, value }, label);

function failureForms(state: SandboxState, services: readonly Service[]): ReactNode {
  const active = state.failures.list();
  return h(
    'section',
    { className: 'panel', 'aria-labelledby': 'fail' },
    h('h2', { id: 'fail', style: { marginTop: 0 } }, 'Make a service fail'),
    h(
      'form',
      { className: 'row', method: 'post', action: '/_sandbox/fail' },
      h(
        'label',
        null,
        'Service',
        h('select', { name: 'service' }, ...services.map(({ name, title }) => option(name, title))),
      ),
      h(
        'label',
        null,
        'How',
        h('select', { name: 'mode' }, ...failureModes.map((mode) => option(mode))),
      ),
      h(
        'label',
        null,
        'Times (empty: all)',
        h('input', { name: 'times', type: 'number', min: 1, inputMode: 'numeric' }),
      ),
      h(
        'label',
        null,
        'Delay in ms',
        h('input', { name: 'delay_ms', type: 'number', min: 0, inputMode: 'numeric' }),
      ),
      h('button', { type: 'submit', className: 'bad' }, 'Make it fail'),
    ),
    active.length === 0 ? null : failureList(active),
  );
}

/** Renders the active failures as one line with their number and a button that stops all. */
function failureList(active: readonly Failure[]): ReactNode {
  const count = active.length === 1 ? '1 service fails' : `${active.length} services fail`;
  return [
    stopForm('all', h('p', { className: 'bad' }, count), 'Stop all failures'),
    h(
      'details',
      { key: 'each' },
      h('summary', null, 'Details'),
      ...active.map(({ service, mode, times }) => {
        const often = times ? `${times} more` : 'every request';
        return stopForm(service, h('p', null, `${service}: ${mode}, ${often}`), 'Stop');
      }),
    ),
  ];
}

function stopForm(service: string, what: ReactNode, button: string): ReactNode {
  return h(
    'form',
    { key: service, className: 'row', method: 'post', action: '/_sandbox/fail' },
    h('input', { type: 'hidden', name: 'service', value: service }),
    h('input', { type: 'hidden', name: 'mode', value: 'none' }),
    what,
    h('button', { type: 'submit' }, button),
  );
}

function facts(state: SandboxState, received: readonly ReceivedRequest[]): ReactNode {
  const leads = state.effects.list('ingest');
  const twice = leads.filter((lead) => lead.count > 1).length;
  const violations = state.journal.violations().length;
  const fact = (count: number, what: string, bad = false) =>
    h(
      'li',
      { key: what, className: bad && count > 0 ? 'bad' : undefined },
      h('b', null, count),
      ` ${what}`,
    );
  return h(
    'ul',
    { className: 'facts panel' },
    fact(leads.length, 'leads taken'),
    fact(twice, 'accepted more than once', true),
    fact(received.length, 'requests'),
    fact(violations, 'violations', true),
  );
}

/** Adds `GET /`: the requests, newest first, and forms that make a service fail. `?service=` filters. */
export function pageRoutes(
  app: FastifyInstance,
  state: SandboxState & { services: readonly Service[] },
): void {
  const { services } = state;
  const titles = new Map<string, string>(services.map(({ name, title }) => [name, title]));

  app.get('/', (request, reply) => {
    const { service } = request.query as { service?: string };
    const all = state.journal.received();
    const received = all.filter((entry) => service === undefined || entry.service === service);
    const newest = received.toReversed().slice(0, shownAtMost);
    const used = [...new Set(all.map((entry) => entry.service))];
    const codes = state.codes().toReversed().slice(0, 5);
    const current = (name?: string) =>
      name === service ? { 'aria-current': 'true' as const } : {};

    const page = document(
      'Sandbox',
      h('h1', null, 'Sandbox'),
      h(
        'p',
        null,
        'Simulates every third party on this machine, and shows what the server sent. Nothing leaves this machine. ',
        h('a', { href: service ? `/?service=${encodeURIComponent(service)}` : '/' }, 'Refresh'),
      ),
      facts(state, all),
      codes.length === 0
        ? null
        : h(
            'section',
            null,
            h('h2', null, 'SMS codes'),
            h(
              'div',
              null,
              ...codes.map(({ to, code, at }) => h('div', { key: `${to}${at}` }, `${to}: ${code}`)),
            ),
          ),
      h('div', { style: { height: '1rem' } }),
      failureForms(state, services),
      h('h2', null, 'Received requests'),
      h(
        'p',
        null,
        'Newest first. Well formed: exactly in the vendor’s format. Effect: the request changed something at the vendor, such as an accepted lead or a sent message.',
      ),
      h(
        'nav',
        { 'aria-label': 'Service' },
        h('a', { href: '/', ...current() }, 'All'),
        ...used.map((name) =>
          h(
            'a',
            { key: name, href: `/?service=${name}`, ...current(name) },
            titles.get(name) ?? 'Unknown',
          ),
        ),
      ),
      newest.length === 0
        ? h('p', { className: 'soft' }, 'Nothing yet.')
        : h(
            'table',
            { className: 'requests' },
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ...['Time (UTC)', 'Service', 'Request', 'Answer', 'Format', 'Effect'].map((name) =>
                  h('th', { key: name, scope: 'col' }, name),
                ),
              ),
            ),
            h('tbody', null, ...newest.map((entry) => requestRow(entry, titles))),
          ),
      received.length > shownAtMost
        ? h('p', { className: 'soft' }, `The newest ${shownAtMost} of ${received.length}.`)
        : null,
      h(
        'form',
        {
          className: 'row',
          method: 'post',
          action: '/_sandbox/reset',
          style: { marginTop: '1rem' },
        },
        h('input', { type: 'hidden', name: 'from', value: 'page' }),
        h('button', { type: 'submit' }, 'Forget everything'),
      ),
    );
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(page);
  });
}
