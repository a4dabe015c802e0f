import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { Flow, ScriptName, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';

/** The supported call-tracking vendors. */
export const callTrackingVendors = ['ringba', 'invoca', 'callrail'] as const;
type CallTrackingVendor = (typeof callTrackingVendors)[number];

/** A pool of call-tracking numbers: the script's URL, and Invoca's tag id. */
export type NumberPool = { readonly src: string; readonly tagId?: string };

/** The settings of third-party scripts. An empty URL disables a script. */
export type ScriptSettings = {
  readonly pixel: string;
  readonly caseWorth: string;
  /** Replaces `caseWorth` for visits of the traffic source pool `facebook`. */
  readonly caseWorthFacebook: string;
  readonly ticket: string;
  readonly adPixel: string;
  /** Everflow, the click tracker. `by`: the page's script or our server registers the click. */
  readonly click?: { readonly baseUrl: string; readonly by: 'page' | 'server'; timeoutMs: number };
  readonly trustedForm: string;
  readonly leadid: string;
  readonly callTracking?: {
    readonly vendor: CallTrackingVendor;
    readonly numbers: NumberPool;
    /** Replaces `numbers` for visits of the traffic source pool `facebook`. */
    readonly facebook?: NumberPool;
  };
  /** Additional allowed hosts, by script. */
  readonly moreHosts: Readonly<Partial<Record<AnyScriptName, ScriptHosts>>>;
};

const origin = (address: string) => new URL(address).origin;
const loadsAndCalls = (...hosts: string[]): ScriptHosts => ({
  'script-src': hosts,
  'connect-src': hosts,
});

/** Returns the directives for hosts of scripts, calls and images. */
const loadsCallsAndShows = (...hosts: string[]): ScriptHosts => ({
  ...loadsAndCalls(...hosts),
  'img-src': hosts,
});

/** Further hosts that a vendor's script needs, by the end of the script's host. SCRIPT_HOSTS adds more. */
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

/** Returns the host of a script's URL and the further hosts of its vendor. */
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

/** Longest wait of the last button for the fields of a certificate script. */
const CERTIFICATE_WAIT_MS = 1000;
const CLICK_WAIT_MS = 500;

/** Returns the scripts that the flow declares. */
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
  // The page does not wait for an answer, since a visit without an answer is a paid click, too.
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

/** Returns the call-tracking script. Pages that are no surveys have no other third-party script. */
export function callTrackingScripts({ callTracking }: ScriptSettings): ThirdPartyScript[] {
  if (!callTracking) return [];
  const { numbers, facebook } = callTracking;
  const declare = (pool: NumberPool): ThirdPartyScript => ({
    name: 'callTracking',
    // The page does not wait for an answer, since visitors may call from the first screen.
    withoutAnswer: true,
    ...pool,
  });
  if (!facebook) return [declare(numbers)];
  return [
    { ...declare(numbers), pool: 'google' },
    { ...declare(facebook), pool: 'facebook' },
  ];
}

/** Returns every third-party script that a survey of this flow may load. */
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

/** Scripts that no flow declares. `serverClick` is a call to our server, which registers the click. */
type SiteScriptName = 'clickTracker' | 'serverClick' | 'trustedForm' | 'leadid' | 'callTracking';

/** The name of a third-party script. */
export type AnyScriptName = ScriptName | SiteScriptName;

/** A lead field that a third-party script provides. */
type CollectedField =
  | 'ef_transaction_id'
  | 'trustedform_cert_url'
  | 'trusted_form_cert_id'
  | 'leadid_token'
  | 'call_tracking_number';

/** The fields that scripts have provided so far. The visit stores them and posts them with the lead. */
export type CollectedFields = Readonly<Partial<Record<CollectedField, string>>>;

/** A third-party script in a page's data (docs/specification.md#scripts-of-third-parties). */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly name: AnyScriptName;
  /** The script's URL. For `serverClick`, a path of our server. */
  readonly src: string;
  /** The page loads the script only in visits of this traffic source pool. */
  readonly pool?: TrafficSourcePool;
  /** The page loads the script once it is idle and interactive, without waiting for an answer. */
  readonly withoutAnswer?: true;
  /** Longest wait of the last button for the script's fields. Default: no wait. */
  readonly waitMs?: number;
  /** Time limit for the click's registration. After it, the visit uses our own click id. */
  readonly timeoutMs?: number;
  /** Invoca's tag id. */
  readonly tagId?: string;
};

/** The scripts of a page that is no survey, as JSON in its element `#site-scripts`. */
export type SiteScripts = {
  readonly scripts: readonly ThirdPartyScript[];
  /** Personal query parameters, which the page removes from its URL before scripts load. */
  readonly personal: readonly string[];
};

/** Header of a rendered page with the hosts of its scripts, as JSON. The server removes it from the response. */
export const hostsHeader = 'x-script-hosts';

/** The Content-Security-Policy directives that list hosts of scripts. */
export const hostDirectives = ['script-src', 'connect-src', 'img-src', 'frame-src'] as const;
export type HostDirective = (typeof hostDirectives)[number];

/** Origins by Content-Security-Policy directive. */
export type ScriptHosts = Readonly<Partial<Record<HostDirective, readonly string[]>>>;
