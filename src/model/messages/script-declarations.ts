import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { Flow, ScriptName, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';

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

const origin = (address: string) => new URL(address).origin;
const loadsAndCalls = (...hosts: string[]): ScriptHosts => ({
  'script-src': hosts,
  'connect-src': hosts,
});

/** Returns the hosts of a script that also reports by image. */
const loadsCallsAndShows = (...hosts: string[]): ScriptHosts => ({
  ...loadsAndCalls(...hosts),
  'img-src': hosts,
});

/** The hosts that a vendor's script needs, by the ending of its own. SCRIPT_HOSTS adds hosts of single accounts. */
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

/** Returns a script's own host and its vendor's. */
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

/** Returns the hosts that the Content-Security-Policy of a page with these scripts allows. */
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

/** How long the last button waits for a script's fields. */
const CERTIFICATE_WAIT_MS = 1000;
const CLICK_WAIT_MS = 500;

/** Returns the scripts that the flow's own rules name. */
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
  // A visit that ends on the first screen is still a paid click.
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

/** Returns the script of call tracking, the only one of a page outside the surveys. */
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

/** Returns every script that a survey of this flow may load. */
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

/** Scripts of no step. `serverClick` stands for a call to our server, which registers the click. */
type SiteScriptName = 'clickTracker' | 'serverClick' | 'trustedForm' | 'leadid' | 'callTracking';

/** The name of a third party's script. */
export type AnyScriptName = ScriptName | SiteScriptName;

/** A lead field that a script supplies. */
type CollectedField =
  | 'ef_transaction_id'
  | 'trustedform_cert_url'
  | 'trusted_form_cert_id'
  | 'leadid_token'
  | 'call_tracking_number';

/** The fields collected so far; stored with the visit and posted with its lead. */
export type CollectedFields = Readonly<Partial<Record<CollectedField, string>>>;

/** A third party's script as the page knows it (docs/specification.md#scripts-of-third-parties). */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly name: AnyScriptName;
  /** The script's address; for `serverClick` a path on our own host. */
  readonly src: string;
  /** Loads only in visits of this traffic source pool. */
  readonly pool?: TrafficSourcePool;
  /** Loads when the page is idle and interactive, before the visitor's first answer. */
  readonly withoutAnswer?: true;
  /** How long the last button waits for the script's fields, in ms. Default: it does not wait. */
  readonly waitMs?: number;
  /** How long the click may take; afterwards our own click id stays. */
  readonly timeoutMs?: number;
  /** Invoca's tag id. */
  readonly tagId?: string;
};

/** The scripts of a page outside the surveys, as JSON in its element `#site-scripts`. */
export type SiteScripts = {
  readonly scripts: readonly ThirdPartyScript[];
  /** Personal query parameters (lower case, without `_` and `-`), removed from the address before scripts load. */
  readonly personal: readonly string[];
};

/** The header in which a rendered page gives the server the hosts of its scripts, as JSON. Browsers never get it. */
export const hostsHeader = 'x-script-hosts';

/** The Content-Security-Policy directives that can name a script's hosts. */
export const hostDirectives = ['script-src', 'connect-src', 'img-src', 'frame-src'] as const;
export type HostDirective = (typeof hostDirectives)[number];

/** Origins by directive. */
export type ScriptHosts = Readonly<Partial<Record<HostDirective, readonly string[]>>>;
