import type { FastifyInstance } from 'fastify';
import type { SandboxState } from './control.ts';
import { type Failure, failureModes } from './failures.ts';
import { document, type Html, html } from './html.ts';
import type { ReceivedRequest } from './journal.ts';
import type { Service } from './service.ts';

const shownAtMost = 200;

const pretty = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function outcome({ answer, failure, violations }: ReceivedRequest): Html {
  const said = (answer?.body as { status?: unknown } | null)?.status;
  const parts = [
    answer ? String(answer.status) : 'no answer',
    typeof said === 'string' ? said : '',
    failure ? `(told to fail: ${failure})` : '',
  ];
  const good = answer !== null && answer.status < 400 && !failure && violations.length === 0;
  return html`<span${!good && html` class="bad"`}>${parts.filter(Boolean).join(' ')}</span>`;
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

const badLine = (text: string) => html`<div class="bad">${text}</div>`;

function requestRow(entry: ReceivedRequest, titles: Map<string, string>): Html {
  const query = new URLSearchParams(entry.query).toString();
  const format =
    entry.violations.length === 0
      ? html`<span class="good">Well formed</span>`
      : html`<span class="bad">Violation</span>`;
  const effect = entry.effect
    ? html`<span class="good">Effect</span>`
    : html`<span class="soft">No effect</span>`;
  return html`<tr>
<td><time datetime="${entry.at}">${entry.at.slice(11, 23)}</time></td>
<td>${titles.get(entry.service) ?? 'Unknown'}</td>
<td><code>${entry.method} ${entry.path}${query && `?${query}`}</code>
<div>${about(entry.body)}</div>
${entry.violations.map((one) => badLine(`Violation: ${one}`))}
${entry.overlapped && badLine('An earlier request was still open')}
<details><summary>Request and answer</summary>
${entry.body !== null && html`<pre>${pretty(entry.body)}</pre>`}
<pre>${pretty(entry.headers)}</pre>
<pre>${entry.answer ? pretty(entry.answer.body) : 'No answer was sent.'}</pre></details></td>
<td>${outcome(entry)}</td>
<td>${format}</td>
<td>${effect}</td>
</tr>`;
}

const option = (value: string, label = value) => html`<option value="${value}">${label}</option>`;

function failureForms(state: SandboxState, services: readonly Service[]): Html {
  const active = state.failures.list();
  return html`<section class="panel" aria-labelledby="fail">
<h2 id="fail" style="margin-top:0">Make a service fail</h2>
<form class="row" method="post" action="/_sandbox/fail">
<label>Service<select name="service">${services.map(({ name, title }) => option(name, title))}</select></label>
<label>How<select name="mode">${failureModes.map((mode) => option(mode))}</select></label>
<label>Times (empty: all)<input name="times" type="number" min="1" inputmode="numeric"></label>
<label>Delay in ms<input name="delay_ms" type="number" min="0" inputmode="numeric"></label>
<button type="submit" class="bad">Make it fail</button>
</form>
${active.length > 0 && failureList(active)}
</section>`;
}

/** Renders the active failures as one line with their number and a button that stops all. */
function failureList(active: readonly Failure[]): Html {
  const count = active.length === 1 ? '1 service fails' : `${active.length} services fail`;
  const each = active.map(({ service, mode, times }) => {
    const often = times ? `${times} more` : 'every request';
    return stopForm(service, html`<p>${service}: ${mode}, ${often}</p>`, 'Stop');
  });
  return html`${stopForm('all', html`<p class="bad">${count}</p>`, 'Stop all failures')}
<details><summary>Details</summary>${each}</details>`;
}

function stopForm(service: string, what: Html, button: string): Html {
  return html`<form class="row" method="post" action="/_sandbox/fail">
<input type="hidden" name="service" value="${service}">
<input type="hidden" name="mode" value="none">
${what}
<button type="submit">${button}</button>
</form>`;
}

function facts(state: SandboxState, received: readonly ReceivedRequest[]): Html {
  const leads = state.effects.list('ingest');
  const twice = leads.filter((lead) => lead.count > 1).length;
  const violations = state.journal.violations().length;
  const fact = (count: number, what: string, bad = false) =>
    html`<li${bad && count > 0 && html` class="bad"`}><b>${count}</b> ${what}</li>`;
  return html`<ul class="facts panel">
${fact(leads.length, 'leads taken')}
${fact(twice, 'accepted more than once', true)}
${fact(received.length, 'requests')}
${fact(violations, 'violations', true)}
</ul>`;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Adds `GET /`: the requests, newest first, and forms that make a service fail. `?service=` filters. */
export function pageRoutes(
  app: FastifyInstance,
  state: SandboxState & { services: readonly Service[] },
): void {
  const { services } = state;
  const titles = new Map<string, string>(services.map(({ name, title }) => [name, title]));
  const columns = ['Time (UTC)', 'Service', 'Request', 'Answer', 'Format', 'Effect'];
  const head = columns.map((name) => html`<th scope="col">${name}</th>`);

  app.get('/', (request, reply) => {
    const { service } = request.query as { service?: string };
    const all = state.journal.received();
    const received = all.filter((entry) => service === undefined || entry.service === service);
    const newest = received.toReversed().slice(0, shownAtMost);
    const used = [...new Set(all.map((entry) => entry.service))];
    const codes = state.codes().toReversed().slice(0, 5);
    const here = service ? `/?service=${encodeURIComponent(service)}` : '/';
    const link = (href: string, label: string, name?: string) =>
      html`<a href="${href}"${name === service && html` aria-current="true"`}>${label}</a>`;

    const page = html`<h1>Sandbox</h1>
<p>Simulates every third party on this machine, and shows what the server sent. Nothing leaves this machine.
<a href="${here}">Refresh</a></p>
${facts(state, all)}
${
  codes.length > 0 &&
  html`<section><h2>SMS codes</h2>
<div>${codes.map(({ to, code }) => html`<div>${to}: ${code}</div>`)}</div></section>`
}
<div style="height:1rem"></div>
${failureForms(state, services)}
<h2>Received requests</h2>
<p>Newest first. Well formed: exactly in the vendor’s format. Effect: the request changed something at the
vendor, such as an accepted lead or a sent message.</p>
<nav aria-label="Service">${link('/', 'All')}
${used.map((name) => link(`/?service=${name}`, titles.get(name) ?? 'Unknown', name))}</nav>
${
  newest.length === 0
    ? html`<p class="soft">Nothing yet.</p>`
    : html`<table class="requests"><thead><tr>${head}</tr></thead>
<tbody>${newest.map((entry) => requestRow(entry, titles))}</tbody></table>`
}
${received.length > shownAtMost && html`<p class="soft">The newest ${shownAtMost} of ${received.length}.</p>`}
<form class="row" method="post" action="/_sandbox/reset" style="margin-top:1rem">
<input type="hidden" name="from" value="page">
<button type="submit">Forget everything</button>
</form>`;
    return reply.headers(headers).send(document('Sandbox', page));
  });
}
