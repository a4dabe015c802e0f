import type { ScriptRule } from '../flows/engine/page-scripts.ts';
import { clickPath } from './click.ts';
import {
  type AnyScriptName,
  type CollectedField,
  hostDirectives,
  type ScriptHosts,
  type ThirdPartyScript,
} from './third-party-scripts.ts';

/** The supported call-tracking vendors. */
export const callTrackingVendors = ['ringba', 'invoca', 'callrail'] as const;
type CallTrackingVendor = (typeof callTrackingVendors)[number];

/** A pool of phone numbers: the widget's address, and Invoca's tag id. */
export type NumberPool = { readonly src: string; readonly tagId?: string };

/** The script settings; an empty address disables its script. */
export type ScriptSettings = {
  readonly pixel: string;
  readonly caseWorth: string;
  /** Replaces `caseWorth` for the traffic source pool `facebook`. */
  readonly caseWorthFacebook: string;
  readonly ticket: string;
  readonly adPixel: string;
  /** Everflow: the tracking domain, and who registers the click. */
  readonly click?: { readonly baseUrl: string; readonly by: 'page' | 'server'; timeoutMs: number };
  readonly trustedForm: string;
  readonly leadid: string;
  readonly callTracking?: {
    readonly vendor: CallTrackingVendor;
    readonly numbers: NumberPool;
    /** Replaces `numbers` for the traffic source pool `facebook`. */
    readonly facebook?: NumberPool;
  };
  /** Additional hosts, by script. */
  readonly moreHosts: Readonly<Partial<Record<AnyScriptName, ScriptHosts>>>;
};

/** One script with its hosts and fields: the only source for the page, its policy and its waits. */
type ScriptDeclaration = ThirdPartyScript & {
  /** The hosts that the page's Content-Security-Policy allows for this script. */
  readonly hosts: ScriptHosts;
  readonly collects: readonly CollectedField[];
};

/** The parts of a flow that decide about its scripts. */
type FlowOfScripts = {
  readonly scripts?: readonly ScriptRule[];
  readonly steps: Readonly<Record<string, { readonly submits?: boolean }>>;
};

const origin = (address: string) => new URL(address).origin;

/** Returns the hosts of a script that reports to its own host, by image or call. */
const ownHost = (src: string): ScriptHosts => ({
  'script-src': [origin(src)],
  'connect-src': [origin(src)],
  'img-src': [origin(src)],
});

const loadsAndCalls = (...hosts: string[]): ScriptHosts => ({
  'script-src': hosts,
  'connect-src': hosts,
});

/**
 * The hosts that a vendor's script needs, by the ending of its own host name. The setting SCRIPT_HOSTS adds hosts
 * that only some accounts need.
 */
const vendorHosts: readonly (readonly [ending: string, hosts: ScriptHosts])[] = [
  [
    'trustedform.com',
    {
      'script-src': ['https://api.trustedform.com', 'https://cdn.trustedform.com'],
      'connect-src': ['https://api.trustedform.com', 'https://cdn.trustedform.com'],
      'img-src': ['https://api.trustedform.com', 'https://cdn.trustedform.com'],
    },
  ],
  [
    'lidstatic.com',
    {
      'script-src': ['https://create.lidstatic.com', 'https://create.leadid.com'],
      'connect-src': ['https://create.leadid.com', 'https://info.leadid.com'],
      'img-src': ['https://create.leadid.com'],
    },
  ],
  ['ringba.com', loadsAndCalls('https://b-js.ringba.com', 'https://display.ringba.com')],
  ['invocacdn.com', loadsAndCalls('https://solutions.invocacdn.com', 'https://pnapi.invoca.net')],
  ['callrail.com', loadsAndCalls('https://cdn.callrail.com', 'https://js.callrail.com')],
];

function hostsOf(src: string): ScriptHosts {
  const { hostname } = new URL(src);
  const [, known = {}] =
    vendorHosts.find(([end]) => hostname === end || hostname.endsWith(`.${end}`)) ?? [];
  return merged([loadsAndCalls(origin(src)), known]);
}

/** How long the last button waits for a script's fields. */
const CERTIFICATE_WAIT_MS = 1000;
const CLICK_WAIT_MS = 500;

/** Returns the scripts that the flow's own rules name. */
function ofFlow(rules: readonly ScriptRule[], settings: ScriptSettings): ScriptDeclaration[] {
  return rules.flatMap(({ script: name, ...rule }) => {
    const { caseWorthFacebook } = settings;
    const hasTwo = name === 'caseWorth' && caseWorthFacebook !== '';
    const scripts: ThirdPartyScript[] = hasTwo
      ? [
          { name, ...rule, src: settings.caseWorth, pool: 'google' },
          { name, ...rule, src: caseWorthFacebook, pool: 'facebook' },
        ]
      : [{ name, ...rule, src: settings[name] }];
    return scripts
      .filter(({ src }) => src !== '')
      .map((script) => ({ ...script, hosts: ownHost(script.src), collects: [] }));
  });
}

function ofClick({ click }: ScriptSettings): ScriptDeclaration[] {
  if (!click) return [];
  const { baseUrl, by, timeoutMs } = click;
  const declared = {
    // A visit that ends on the first screen is still a paid click.
    withoutAnswer: true,
    timeoutMs,
    waitMs: CLICK_WAIT_MS,
    collects: ['ef_transaction_id'],
  } as const;
  if (by === 'server') {
    return [{ name: 'serverClick', src: clickPath, hosts: {}, ...declared }];
  }
  const src = `${baseUrl}/scripts/main.js`;
  return [{ name: 'clickTracker', src, hosts: loadsAndCalls(origin(src)), ...declared }];
}

function ofCertificates({ trustedForm, leadid }: ScriptSettings): ScriptDeclaration[] {
  const declarations: ScriptDeclaration[] = [
    {
      name: 'trustedForm',
      src: trustedForm,
      waitMs: CERTIFICATE_WAIT_MS,
      hosts: {},
      collects: ['trustedform_cert_url', 'trusted_form_cert_id'],
    },
    {
      name: 'leadid',
      src: leadid,
      waitMs: CERTIFICATE_WAIT_MS,
      hosts: {},
      collects: ['leadid_token'],
    },
  ];
  return declarations
    .filter(({ src }) => src !== '')
    .map((declared) => ({ ...declared, hosts: hostsOf(declared.src) }));
}

function ofCallTracking({ callTracking }: ScriptSettings): ScriptDeclaration[] {
  if (!callTracking) return [];
  const { numbers, facebook } = callTracking;
  const declare = (pool: NumberPool): ScriptDeclaration => ({
    name: 'callTracking',
    // Visitors may call from the first screen.
    withoutAnswer: true,
    ...pool,
    hosts: hostsOf(pool.src),
    collects: ['call_tracking_number'],
  });
  if (!facebook) return [declare(numbers)];
  return [
    { ...declare(numbers), pool: 'google' },
    { ...declare(facebook), pool: 'facebook' },
  ];
}

/** Returns every script that a survey of this flow may load. */
export function declaredScripts(
  flow: FlowOfScripts,
  settings: ScriptSettings,
): readonly ScriptDeclaration[] {
  const postsLead = Object.values(flow.steps).some(({ submits }) => submits);
  return withMoreHosts(settings, [
    ...ofClick(settings),
    ...(postsLead ? ofCertificates(settings) : []),
    ...ofCallTracking(settings),
    ...ofFlow(flow.scripts ?? [], settings),
  ]);
}

/**
 * Returns every script that a page outside the surveys may load: call tracking alone
 * (docs/decisions/0011-third-party-scripts.md).
 */
export function declaredSiteScripts(settings: ScriptSettings): readonly ScriptDeclaration[] {
  return withMoreHosts(settings, ofCallTracking(settings));
}

function withMoreHosts(
  { moreHosts }: ScriptSettings,
  scripts: readonly ScriptDeclaration[],
): readonly ScriptDeclaration[] {
  return scripts.map((script) => ({
    ...script,
    hosts: merged([script.hosts, moreHosts[script.name] ?? {}]),
  }));
}

/** Returns what the page itself needs: the declarations without hosts and fields. */
export function scriptsOfPage(
  declarations: readonly ScriptDeclaration[],
): readonly ThirdPartyScript[] {
  return declarations.map(({ hosts: _, collects: __, ...script }) => script);
}

/** Merges several lists of hosts, without duplicates. */
export function merged(all: readonly ScriptHosts[]): ScriptHosts {
  const directives = hostDirectives.map((directive) => [
    directive,
    [...new Set(all.flatMap((hosts) => hosts[directive] ?? []))],
  ]);
  return Object.fromEntries(directives.filter(([, hosts]) => (hosts?.length ?? 0) > 0));
}
