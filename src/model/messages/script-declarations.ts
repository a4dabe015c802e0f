import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { Flow, ScriptName, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';

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
    readonly numbers: NumberPool;
    /** The number pool for visits from facebook. */
    readonly facebook?: NumberPool;
  };
  readonly moreHosts: Readonly<Partial<Record<AnyScriptName, ScriptHosts>>>;
};

/** Maps the end of a host name to all hosts of the same vendor. */
const vendorHosts: readonly (readonly [ending: string, ...hosts: string[]])[] = [
  ['trustedform.com', 'https://api.trustedform.com', 'https://cdn.trustedform.com'],
  [
    'lidstatic.com',
    ...['https://create.lidstatic.com', 'https://create.leadid.com', 'https://info.leadid.com'],
  ],
  ['ringba.com', 'https://b-js.ringba.com', 'https://display.ringba.com'],
  ['invocacdn.com', 'https://solutions.invocacdn.com', 'https://pnapi.invoca.net'],
  ['callrail.com', 'https://cdn.callrail.com', 'https://js.callrail.com'],
];

function hostsOf(src: string): string[] {
  const { origin, hostname } = new URL(src);
  const vendor = vendorHosts.find(([end]) => `.${hostname}`.endsWith(`.${end}`));
  return [origin, ...(vendor?.slice(1) ?? [])];
}

/** Returns the hosts for the Content-Security-Policy of a page with these scripts. */
export function hostsOfScripts(
  scripts: readonly ThirdPartyScript[],
  { moreHosts }: Pick<ScriptSettings, 'moreHosts'>,
): ScriptHosts {
  const usual = scripts.flatMap(({ src }) => (src === clickPath ? [] : hostsOf(src)));
  const directives = hostDirectives.map((directive) => {
    const more = scripts.flatMap(({ name }) => moreHosts[name]?.[directive] ?? []);
    return [directive, [...new Set(directive === 'frame-src' ? more : [...usual, ...more])]];
  });
  return Object.fromEntries(directives.filter(([, hosts]) => (hosts?.length ?? 0) > 0));
}

/** Maximum wait of the last button for a consent certificate. */
const CERTIFICATE_WAIT_MS = 1000;
const CLICK_WAIT_MS = 500;

/** Declares a script of both traffic sources, and `other` for visits from facebook if given. */
function byPool(
  script: ThirdPartyScript,
  other?: Pick<ThirdPartyScript, 'src'>,
): ThirdPartyScript[] {
  if (!other?.src) return [script];
  return [
    { ...script, pool: 'google' },
    { ...script, ...other, pool: 'facebook' },
  ];
}

function ofFlow(rules: readonly ScriptRule[], settings: ScriptSettings): ThirdPartyScript[] {
  const { caseWorthFacebook: src } = settings;
  return rules
    .flatMap(({ script: name, ...rule }) =>
      byPool({ name, ...rule, src: settings[name] }, name === 'caseWorth' ? { src } : undefined),
    )
    .filter((script) => script.src !== '');
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
  // Loads the script before the first answer, because visitors may call from the first screen.
  return byPool({ name: 'callTracking', withoutAnswer: true, ...numbers }, facebook);
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
