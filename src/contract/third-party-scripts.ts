import type { TrafficSourcePool } from '../domain/traffic-source.ts';
import type { ScriptName, ScriptRule } from '../flows/engine/page-scripts.ts';

/**
 * Scripts that belong to no step of a flow: they load once the visitor has begun, or before. `serverClick` is no
 * script but a call of our own server, which makes the click in place of the click tracker's script.
 */
export type SiteScriptName =
  | 'clickTracker'
  | 'serverClick'
  | 'trustedForm'
  | 'leadid'
  | 'callTracking';

/** Every script of a third party, by name. */
export type AnyScriptName = ScriptName | SiteScriptName;

/** The fields of a lead that a script brings. */
export type CollectedField =
  | 'ef_transaction_id'
  | 'trustedform_cert_url'
  | 'trusted_form_cert_id'
  | 'leadid_token'
  | 'call_tracking_number';

/** What was collected so far; kept with the visit and posted with its lead. */
export type CollectedFields = Readonly<Partial<Record<CollectedField, string>>>;

/** What a page is told of a script of a third party (docs/specification.md#scripts-of-third-parties). */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly name: AnyScriptName;
  /** Its address; of `serverClick` a path of our own host. */
  readonly src: string;
  /** For the visits of this traffic source pool only. */
  readonly pool?: TrafficSourcePool;
  /** It loads when the page is idle and takes taps: it waits for no answer. */
  readonly withoutAnswer?: true;
  /** How long the last button waits for what it collects, ms; without it: not at all. */
  readonly waitMs?: number;
  /** How long the click may take, ms; after it our own click id stays. */
  readonly timeoutMs?: number;
  /** Invoca's tag id. */
  readonly tagId?: string;
};

/** What a page of the site that loads scripts of third parties is told of them (`#site-scripts`). */
export type SiteScripts = {
  readonly scripts: readonly ThirdPartyScript[];
  /** Names of query parameters, without case, `_` and `-`, that leave the address before any loads. */
  readonly personal: readonly string[];
};

/** The parts of a Content-Security-Policy in which a script's hosts can stand. */
export const hostDirectives = ['script-src', 'connect-src', 'img-src', 'frame-src'] as const;
export type HostDirective = (typeof hostDirectives)[number];

/** Origins by directive. */
export type ScriptHosts = Readonly<Partial<Record<HostDirective, readonly string[]>>>;
