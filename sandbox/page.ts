import type { FastifyInstance } from 'fastify';
import { type Failures, failureModes } from './failures.ts';
import type { Journal, ReceivedRequest } from './journal.ts';
import type { Service } from './service.ts';

/** The styles are inline, so that the page makes no further request. */
const styles = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .5rem 0; }
label { display: grid; }
select, input, button { font: inherit; min-height: 2.75rem; max-width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem; overflow-wrap: anywhere; }
.bad { color: light-dark(#b3261e, #ff8a80); font-weight: 600; }
`;

/** A part of the page. Its values are escaped. */
type Html = { readonly html: string };
type Value = Html | string | number | false | null | undefined | readonly Value[];

function rendered(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'string') {
    return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  }
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(rendered).join('');
}

/** Builds HTML from a template. Escapes values, joins lists, and omits false, null and undefined. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(rendered)) };
}

/** Renders a whole HTML page. */
export function htmlPage(title: string, content: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${{ html: styles }}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`.html;
}

const MOST_SHOWN = 200;

const pretty = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function requestRow(entry: ReceivedRequest): Html {
  const query = new URLSearchParams(entry.query).toString();
  const { answer, failure, violations } = entry;
  return html`<tr>
<td><time datetime="${entry.at}">${entry.at.slice(11, 23)}</time></td>
<td>${entry.service}</td>
<td>${entry.method} ${entry.path}${query && `?${query}`}
${violations.map((one) => html`<div class="bad">Violation: ${one}</div>`)}
<details><summary>Request and answer</summary>
<pre>${pretty(entry.body)}</pre>
<pre>${pretty(entry.headers)}</pre>
<pre>${answer ? pretty(answer.body) : 'No answer was sent.'}</pre></details></td>
<td>${answer?.status ?? 'No answer'}${failure && ` (told to fail: ${failure})`}</td>
<td>${entry.effect ? 'Effect' : 'No effect'}</td>
</tr>`;
}

const option = (value: string, label = value) => html`<option value="${value}">${label}</option>`;

/** Returns a form that turns off the failure of a service. Service `all` means every failure. */
const stopForm = (
  service: string,
  what: string,
) => html`<form method="post" action="/_sandbox/fail">
<input type="hidden" name="service" value="${service}"><input type="hidden" name="mode" value="none">
<span class="bad">${what}</span> <button type="submit">Stop</button>
</form>`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Adds the page `GET /`: the requests, newest first, and forms that make services fail. `?service=` filters. */
export function pageRoutes(
  app: FastifyInstance,
  state: { journal: Journal; failures: Failures; services: readonly Service[] },
): void {
  const { journal, failures, services } = state;
  const columns = ['Time (UTC)', 'Service', 'Request', 'Answer', 'Effect'];

  app.get<{ Querystring: { service?: string } }>('/', (request, reply) => {
    const received = journal.received(request.query.service);
    const newest = received.toReversed().slice(0, MOST_SHOWN);
    const used = [...new Set(journal.received().map(({ service }) => service))];
    const failing = failures.list();
    const page = html`
<p>Simulates every third party on this machine, and shows what the server sent. Nothing leaves this machine.</p>
${journal.codes.map(({ to, code }) => html`<div>SMS code to ${to}: ${code}</div>`)}
<h2>Make a service fail</h2>
<form method="post" action="/_sandbox/fail">
<label>Service<select name="service">${services.map(({ name, title }) => option(name, title))}</select></label>
<label>How<select name="mode">${failureModes.map((mode) => option(mode))}</select></label>
<label>Times (empty: all)<input name="times" type="number" min="1" inputmode="numeric"></label>
<label>Delay in ms<input name="delay_ms" type="number" min="0" inputmode="numeric"></label>
<button type="submit">Make it fail</button>
</form>
${failing.map(({ service, mode, times }) =>
  stopForm(service, `${service}: ${mode}, ${times ? `${times} more` : 'every request'}`),
)}
${failing.length > 1 && stopForm('all', `${failing.length} services fail`)}
<h2>Received requests</h2>
<p>The newest ${newest.length} of ${received.length}, newest first. A violation breaks the vendor’s format. Effect:
the request changed something at the vendor, such as an accepted lead or a sent message.</p>
<nav aria-label="Service"><a href="/">All</a> ${used.map((name) => html`<a href="/?service=${name}">${name}</a> `)}</nav>
<table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${newest.map(requestRow)}</tbody></table>
<form method="post" action="/_sandbox/reset">
<input type="hidden" name="from" value="page">
<button type="submit">Forget everything</button>
</form>`;
    return reply.headers(headers).send(htmlPage('Sandbox', page));
  });
}
