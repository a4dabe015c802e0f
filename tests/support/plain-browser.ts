/** A browser without scripts. */
import { ELEMENT_NODE, type ElementNode, type Node, parse, TEXT_NODE, walkSync } from 'ultrahtml';
import { querySelector } from 'ultrahtml/selector';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
};

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function attribute(element: ElementNode, name: string): string | undefined {
  const value: string | undefined = element.attributes[name];
  return value === undefined ? undefined : decoded(value);
}

/** Returns the descendants with these element names, in document order. */
function elementsIn(node: Node, ...names: string[]): ElementNode[] {
  const found: ElementNode[] = [];
  walkSync(node, (each) => {
    if (each.type === ELEMENT_NODE && names.includes(each.name)) found.push(each as ElementNode);
  });
  return found;
}

function textOf(node: Node): string {
  let text = '';
  walkSync(node, (each) => {
    if (each.type === TEXT_NODE) text += each.value;
  });
  return decoded(text);
}

export type PlainAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
};

type More = { readonly headers?: Readonly<Record<string, string>> };

export class PlainBrowser {
  readonly cookies = new Map<string, { readonly value: string; readonly path: string }>();
  readonly headers: Readonly<Record<string, string>>;
  /** Every URL to which the browser was redirected. */
  readonly visited: string[] = [];
  url = '';
  html = '';
  #root: Node = parse('');
  last: PlainAnswer | undefined;

  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.headers = { 'user-agent': 'PlainBrowser/1.0', ...headers };
  }

  get step(): string | undefined {
    const element = querySelector(this.#root, '[data-step]') as ElementNode | null;
    return element ? attribute(element, 'data-step') : undefined;
  }

  /** Returns the lead id in the visit's cookie, or '' without a cookie. */
  get leadId(): string {
    const [, visit] = [...this.cookies].find(([name]) => name.includes('visit_')) ?? [];
    return visit?.value.split('.')[0] ?? '';
  }

  text(selector: string): string | undefined {
    const element = querySelector(this.#root, selector) as Node | null;
    return element ? textOf(element) : undefined;
  }

  /** Returns the elements with these names in the survey's form. */
  all(...names: string[]): ElementNode[] {
    const [form] = elementsIn(this.#root, 'form');
    return form ? elementsIn(form, ...names) : [];
  }

  value(name: string): string | undefined {
    return this.fields().find(([each]) => each === name)?.[1];
  }

  async get(address: string, more: More = {}): Promise<PlainAnswer> {
    return this.#go(new URL(address, this.url || undefined).href, { method: 'GET' }, more);
  }

  /**
   * Returns the fields that the form would send, with `values` in place of the form's own values.
   */
  fields(values: Readonly<Record<string, string>> = {}): [string, string][] {
    const fields: [string, string][] = [];
    for (const element of this.all('input', 'select', 'textarea')) {
      const name = attribute(element, 'name');
      const type = attribute(element, 'type');
      if (!name) continue;
      if (type === 'checkbox' && element.attributes.checked === undefined) continue;
      if (element.name === 'textarea') fields.push([name, textOf(element)]);
      else if (element.name === 'select') {
        const options = elementsIn(element, 'option');
        const chosen = options.find((each) => each.attributes.selected !== undefined) ?? options[0];
        fields.push([name, chosen ? (attribute(chosen, 'value') ?? '') : '']);
      } else fields.push([name, attribute(element, 'value') ?? '']);
    }
    return fields.map(([name, value]) => [name, values[name] ?? value]);
  }

  /**
   * Presses a button of the form, with these values in the form's fields. Default: the continue
   * button.
   */
  async press(
    button?: readonly [name: string, value: string],
    values: Readonly<Record<string, string>> = {},
    more: More = {},
  ): Promise<PlainAnswer> {
    if (button) {
      const [name, value] = button;
      const found = this.all('button').some(
        (each) => attribute(each, 'name') === name && attribute(each, 'value') === value,
      );
      if (!found) throw new Error(`${this.step} has no button ${name}=${value}`);
    }
    const known = new Set(this.fields().map(([name]) => name));
    for (const name of Object.keys(values)) {
      const isBox = this.all('input').some((each) => attribute(each, 'name') === name);
      if (!known.has(name) && !isBox) throw new Error(`${this.step} has no field ${name}`);
    }
    const kept = this.fields().filter(([name]) => !(name in values));
    const typed = Object.entries(values).flatMap(([name, value]) =>
      value.split('|').map((each): [string, string] => [name, each]),
    );
    return this.post(
      [...kept, ...typed, ...(button ? [[button[0], button[1]] as [string, string]] : [])],
      more,
    );
  }

  async post(
    fields: readonly (readonly [string, string])[],
    more: More = {},
  ): Promise<PlainAnswer> {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(this.url).origin,
      'sec-fetch-site': 'same-origin',
      referer: this.url,
      ...more.headers,
    };
    const [form] = elementsIn(this.#root, 'form');
    const action = new URL((form && attribute(form, 'action')) ?? this.url, this.url);
    return this.#go(action.href, { method: 'POST', body, headers }, { headers: {} });
  }

  async #go(address: string, init: RequestInit, { headers = {} }: More): Promise<PlainAnswer> {
    let next = address;
    let request: RequestInit = { ...init, headers: { ...headers, ...(init.headers as object) } };
    for (let hops = 0; hops < 10; hops += 1) {
      const url = new URL(next);
      const answer = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: {
          ...this.headers,
          cookie: this.#cookiesFor(url.pathname),
          ...(request.headers as object),
        },
      });
      this.#keep(answer.headers);
      this.visited.push(url.pathname + url.search);
      const location = answer.headers.get('location');
      if (answer.status === 303 && location !== null) {
        next = new URL(location, url).href;
        request = { method: 'GET' };
        await answer.arrayBuffer();
        continue;
      }
      this.url = next.split('#')[0] ?? '';
      this.html = await answer.text();
      // A browser without scripts shows the content of `<noscript>`.
      this.#root = parse(this.html.replace(/<\/?noscript>/g, ''));
      this.last = { status: answer.status, headers: answer.headers, url: next };
      return this.last;
    }
    throw new Error('too many redirects');
  }

  #cookiesFor(path: string): string {
    return [...this.cookies]
      .filter(([, { path: own }]) => `${path}/`.startsWith(own.endsWith('/') ? own : `${own}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  #keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((each) => each.startsWith('Path='))?.slice(5) ?? '/';
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, { value, path });
    }
  }
}
