import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { Flow, ScriptName, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';

export const callTrackingVendors = ['ringba', 'invoca', 'callrail'] as const;
type CallTrackingVendor = (typeof callTrackingVendors)[number];

/** A pool of call-tracking numbers. `tagId` is the tag of the vendor Invoca. */
export type NumberPool = { readonly src: string; readonly tagId?: string };

/** The settings of third-party scripts. '' disables a script. */
export type ScriptSettings = {
  readonly pixel: string;
  readonly caseWorth: string;
  /** Replaces `caseWorth` in visits from facebook. */
  readonly caseWorthFacebook: string;
  readonly ticket: string;
  readonly adPixel: string;
  /** The click tracker. `by`: Everflow's own script (`page`) or our server registers the click. */
  readonly click?: { readonly baseUrl: string; readonly by: 'page' | 'server'; timeoutMs: number };
  readonly trustedForm: string;
  readonly leadid: string;
  readonly callTracking?: {
    readonly vendor: CallTrackingVendor;
    readonly numbers: NumberPool;
    /** Replaces `numbers` in visits from facebook. */
    readonly facebook?: NumberPool;
  };
  readonly moreHosts: Readonly<Partial<Record<AnyScriptName, ScriptHosts>>>;
};

const origin = (address: string) => new URL(address).origin;
const loadsAndCalls = (...hosts: string[]): ScriptHosts => ({
  'script-src': hosts,
  'connect-src': hosts,
});

const loadsCallsAndShows = (...hosts: string[]): ScriptHosts => ({
  ...loadsAndCalls(...hosts),
  'img-src': hosts,
});

/** Maps the end of a script's host to further hosts that the vendor's scripts need. */
const vendorHosts: readonly (readonly [ending: string, hosts: ScriptHosts])[] = [
  [
    'trustedform.com',
    loadsCallsAndShows('https://api.trustedform.com', 'https://cdn.trustedform.com'),
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

function usualHosts({ name, src }: ThirdPartyScript): ScriptHosts[] {
  switch (name) {
    case 'serverClick':
      return [];
    case 'trustedForm':
    case 'leadid':
    case 'callTracking': {
      const { hostname } = new URL(src);
      const vendor = vendorHosts.find(([end]) => hostname === end || hostname.endsWith(`.${end}`));
      return [loadsAndCalls(origin(src)), vendor?.[1] ?? {}];
    }
    case 'clickTracker':
      return [loadsAndCalls(origin(src))];
    default:
      return [loadsCallsAndShows(origin(src))];
  }
}

/** Returns the hosts that a page with these scripts must allow in its Content-Security-Policy. */
export function hostsOfScripts(
  scripts: readonly ThirdPartyScript[],
  { moreHosts }: Pick<ScriptSettings, 'moreHosts'>,
): ScriptHosts {
  const all = scripts.flatMap((script) => [...usualHosts(script), moreHosts[script.name] ?? {}]);
  const directives = hostDirectives.map((directive) => [
    directive,
    [...new Set(all.flatMap((hosts) => hosts[directive] ?? []))],
  ]);
  return Object.fromEntries(directives.filter(([, hosts]) => (hosts?.length ?? 0) > 0));
}

/** Maximum wait of the last button for a TrustedForm certificate or Jornaya token. */
const CERTIFICATE_WAIT_MS = 1000;
const CLICK_WAIT_MS = 500;

function ofFlow(rules: readonly ScriptRule[], settings: ScriptSettings): ThirdPartyScript[] {
  return rules
    .flatMap(({ script: name, ...rule }): ThirdPartyScript[] => {
      const script = { name, ...rule, src: settings[name] };
      const { caseWorthFacebook } = settings;
      if (name !== 'caseWorth' || caseWorthFacebook === '') return [script];
      return [
        { ...script, pool: 'google' },
        { ...script, src: caseWorthFacebook, pool: 'facebook' },
      ];
    })
    .filter(({ src }) => src !== '');
}

function ofClick({ click }: ScriptSettings): ThirdPartyScript[] {
  if (!click) return [];
  const { baseUrl, by, timeoutMs } = click;
  const script =
    by === 'server'
      ? ({ name: 'serverClick', src: clickPath } as const)
      : ({ name: 'clickTracker', src: `${baseUrl}/scripts/main.js` } as const);
  // We pay for every click, even if the visitor answers nothing.
  return [{ ...script, withoutAnswer: true, timeoutMs, waitMs: CLICK_WAIT_MS }];
}

function ofCertificates({ trustedForm, leadid }: ScriptSettings): ThirdPartyScript[] {
  const waitMs = CERTIFICATE_WAIT_MS;
  const scripts: ThirdPartyScript[] = [
    { name: 'trustedForm', src: trustedForm, waitMs },
    { name: 'leadid', src: leadid, waitMs },
  ];
  return scripts.filter(({ src }) => src !== '');
}

/** Returns the call-tracking scripts, which all pages may have. */
export function callTrackingScripts({ callTracking }: ScriptSettings): ThirdPartyScript[] {
  if (!callTracking) return [];
  const { numbers, facebook } = callTracking;
  const declare = (pool: NumberPool): ThirdPartyScript => ({
    name: 'callTracking',
    // Visitors may call from the first screen.
    withoutAnswer: true,
    ...pool,
  });
  if (!facebook) return [declare(numbers)];
  return [
    { ...declare(numbers), pool: 'google' },
    { ...declare(facebook), pool: 'facebook' },
  ];
}

/** Returns all third-party scripts that a survey with this flow may load. */
export function surveyScripts(
  { scripts = [], steps }: Pick<Flow, 'scripts' | 'steps'>,
  settings: ScriptSettings,
): ThirdPartyScript[] {
  const postsLead = Object.values(steps).some(({ submits }) => submits);
  return [
    ...ofClick(settings),
    ...(postsLead ? ofCertificates(settings) : []),
    ...callTrackingScripts(settings),
    ...ofFlow(scripts, settings),
  ];
}

/** Scripts that no flow declares. `serverClick` is not a script but a request to our server. */
type SiteScriptName = 'clickTracker' | 'serverClick' | 'trustedForm' | 'leadid' | 'callTracking';

export type AnyScriptName = ScriptName | SiteScriptName;

type CollectedField =
  | 'ef_transaction_id'
  | 'trustedform_cert_url'
  | 'trusted_form_cert_id'
  | 'leadid_token'
  | 'call_tracking_number';

/** The lead fields that third-party scripts have set so far in a visit. */
export type CollectedFields = Readonly<Partial<Record<CollectedField, string>>>;

/** A third-party script of a page (docs/specification.md#scripts-of-third-parties). */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly name: AnyScriptName;
  /** URL of the script, or a path of our server for `serverClick`. */
  readonly src: string;
  /** The only traffic source whose visits load the script. */
  readonly pool?: TrafficSourcePool;
  /** True if the page loads the script when idle, even before the first answer. */
  readonly withoutAnswer?: true;
  /** Maximum wait of the last button for the script's fields. Default: no wait. */
  readonly waitMs?: number;
  /** Time limit for registering the click. Afterwards the visit uses our own click id. */
  readonly timeoutMs?: number;
  readonly tagId?: string;
};

/** The scripts of a page without a survey, which are JSON in the element `#site-scripts`. */
export type SiteScripts = {
  readonly scripts: readonly ThirdPartyScript[];
  /** Personal query parameters, which the page removes from its URL before scripts load. */
  readonly personal: readonly string[];
};

/** Header with the hosts of a page's scripts as JSON, from the renderer to the server only. */
export const hostsHeader = 'x-script-hosts';

export const hostDirectives = ['script-src', 'connect-src', 'img-src', 'frame-src'] as const;
export type HostDirective = (typeof hostDirectives)[number];

/** Allowed origins by Content-Security-Policy directive. */
export type ScriptHosts = Readonly<Partial<Record<HostDirective, readonly string[]>>>;
