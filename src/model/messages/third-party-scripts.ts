import type { TrafficSourcePool } from '../fields/tracking.ts';
import type { ScriptName, ScriptRule } from '../flows/engine/flow.ts';

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
