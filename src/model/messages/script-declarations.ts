import type { Flow, ScriptRule } from '../flows/engine/flow.ts';
import { clickPath } from './click.ts';
import {
  type AnyScriptName,
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
