import type { FastifyInstance } from 'fastify';
import type { SandboxState } from './control.ts';
import { failureModes } from './failures.ts';
import { document, type Html, html } from './html.ts';
import type { ReceivedRequest } from './journal.ts';
import type { Service } from './service.ts';

const shownAtMost = 200;

const pretty = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function requestRow(entry: ReceivedRequest, titles: Map<string, string>): Html {
  const query = new URLSearchParams(entry.query).toString();
  const { answer, failure, violations } = entry;
  return html`<tr>
<td><time datetime="${entry.at}">${entry.at.slice(11, 23)}</time></td>
<td>${titles.get(entry.service) ?? 'Unknown'}</td>
<td>${entry.method} ${entry.path}${query && `?${query}`}
${violations.map((one) => html`<div class="bad">Violation: ${one}</div>`)}
<details><summary>Request and answer</summary>
<pre>${pretty(entry.body)}</pre>
<pre>${pretty(entry.headers)}</pre>
<pre>${answer ? pretty(answer.body) : 'No answer was sent.'}</pre></details></td>
<td>${answer?.status ?? 'No answer'}${failure && ` (told to fail: ${failure})`}</td>
<td>${violations.length === 0 ? html`<span class="good">Well formed</span>` : html`<span class="bad">Violation</span>`}</td>
<td>${entry.effect ? 'Effect' : 'No effect'}</td>
</tr>`;
}

const option = (value: string, label = value) => html`<option value="${value}">${label}</option>`;

function failureForms({ failures }: SandboxState, services: readonly Service[]): Html {
  const stop = (
    service: string,
    what: string,
    button: string,
  ) => html`<form method="post" action="/_sandbox/fail">
<input type="hidden" name="service" value="${service}">
<input type="hidden" name="mode" value="none">
<span class="bad">${what}</span> <button type="submit">${button}</button>
</form>`;
  const active = failures.list();
  return html`<h2>Make a service fail</h2>
<form method="post" action="/_sandbox/fail">
<label>Service<select name="service">${services.map(({ name, title }) => option(name, title))}</select></label>
<label>How<select name="mode">${failureModes.map((mode) => option(mode))}</select></label>
<label>Times (empty: all)<input name="times" type="number" min="1" inputmode="numeric"></label>
<label>Delay in ms<input name="delay_ms" type="number" min="0" inputmode="numeric"></label>
<button type="submit">Make it fail</button>
</form>
${active.map(({ service, mode, times }) =>
  stop(service, `${service}: ${mode}, ${times ? `${times} more` : 'every request'}`, 'Stop'),
)}
${active.length > 1 && stop('all', `${active.length} services fail`, 'Stop all failures')}`;
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

  app.get('/', (request, reply) => {
    const { service } = request.query as { service?: string };
    const all = state.journal.received();
    const received = all.filter((entry) => service === undefined || entry.service === service);
    const newest = received.toReversed().slice(0, shownAtMost);
    const used = [...new Set(all.map((entry) => entry.service))];
    const link = (href: string, label: string, name?: string) =>
      html`<a href="${href}"${name === service && html` aria-current="true"`}>${label}</a>`;
    const page = html`<h1>Sandbox</h1>
<p>Simulates every third party on this machine, and shows what the server sent. Nothing leaves this machine.</p>
${
  state.codes().length > 0 &&
  html`<h2>SMS codes</h2>${state.codes().map(({ to, code }) => html`<div>${to}: ${code}</div>`)}`
}
${failureForms(state, services)}
<h2>Received requests</h2>
<p>The newest ${newest.length} of ${received.length}, newest first. Well formed: exactly in the vendor’s format. Effect:
the request changed something at the vendor, such as an accepted lead or a sent message.</p>
<nav aria-label="Service">${link('/', 'All')}
${used.map((name) => link(`/?service=${name}`, titles.get(name) ?? 'Unknown', name))}</nav>
<table class="requests"><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${newest.map((entry) => requestRow(entry, titles))}</tbody></table>
<form method="post" action="/_sandbox/reset">
<input type="hidden" name="from" value="page">
<button type="submit">Forget everything</button>
</form>`;
    return reply.headers(headers).send(document('Sandbox', page));
  });
}
