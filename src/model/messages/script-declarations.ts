import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { Flow, ScriptName, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';

export const callTrackingVendors = ['ringba', 'invoca', 'callrail'] as const;
type CallTrackingVendor = (typeof callTrackingVendors)[number];

/** A script that assigns call-tracking numbers. */
export type NumberPool = { readonly src: string; readonly tagId?: string };

/** The settings of third-party scripts. An empty text disables a script. */
export type ScriptSettings = {
  readonly pixel: string;
  readonly caseWorth: string;
  /** The URL of the script `caseWorth` for visits from facebook. */
  readonly caseWorthFacebook: string;
  readonly ticket: string;
  readonly adPixel: string;
  /** The click tracker. `by` says whether the page or the server registers ad clicks. */
  readonly click?: { readonly baseUrl: string; readonly by: 'page' | 'server'; timeoutMs: number };
  readonly trustedForm: string;
  readonly leadid: string;
  readonly callTracking?: {
    readonly vendor: CallTrackingVendor;
    readonly numbers: NumberPool;
    /** The number pool for visits from facebook. */
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

/** Maps the end of a host name to further hosts of the same vendor. */
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

/** Returns the hosts for the Content-Security-Policy of a page with these scripts. */
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

/** Maximum wait of the last button for a consent certificate. */
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
  // Registers the ad click before the first answer, because the company pays for every ad click.
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

/** Returns the scripts for call tracking. */
export function callTrackingScripts({ callTracking }: ScriptSettings): ThirdPartyScript[] {
  if (!callTracking) return [];
  const { numbers, facebook } = callTracking;
  const declare = (pool: NumberPool): ThirdPartyScript => ({
    name: 'callTracking',
    // Loads the script before the first answer, because visitors may call from the first screen.
    withoutAnswer: true,
    ...pool,
  });
  if (!facebook) return [declare(numbers)];
  return [
    { ...declare(numbers), pool: 'google' },
    { ...declare(facebook), pool: 'facebook' },
  ];
}

/** Returns the third-party scripts of a survey with this flow. */
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

/** The scripts that no flow declares. */
type SiteScriptName = 'clickTracker' | 'serverClick' | 'trustedForm' | 'leadid' | 'callTracking';

export type AnyScriptName = ScriptName | SiteScriptName;

type CollectedField =
  | 'ef_transaction_id'
  | 'trustedform_cert_url'
  | 'trusted_form_cert_id'
  | 'leadid_token'
  | 'call_tracking_number';

/** The lead fields that third-party scripts have set in a visit. */
export type CollectedFields = Readonly<Partial<Record<CollectedField, string>>>;

/** A third-party script of a page (docs/specification.md#scripts-of-third-parties). */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly name: AnyScriptName;
  /** The URL of the script. */
  readonly src: string;
  /** Only visits from this traffic source load the script. */
  readonly pool?: TrafficSourcePool;
  /** True if the page may load the script before the first answer. */
  readonly withoutAnswer?: true;
  /** Maximum wait of the last button for the fields of the script. */
  readonly waitMs?: number;
  /** Time limit for registering the ad click. */
  readonly timeoutMs?: number;
  readonly tagId?: string;
};

/** The third-party scripts of a page without a survey. */
export type SiteScripts = {
  readonly scripts: readonly ThirdPartyScript[];
  /** Names of query parameters that the page hides from scripts. */
  readonly personal: readonly string[];
};

/** Header in which the renderer sends the hosts of a page's scripts to the server. */
export const hostsHeader = 'x-script-hosts';

export const hostDirectives = ['script-src', 'connect-src', 'img-src', 'frame-src'] as const;
export type HostDirective = (typeof hostDirectives)[number];

/** Allowed origins by Content-Security-Policy directive. */
export type ScriptHosts = Readonly<Partial<Record<HostDirective, readonly string[]>>>;
