import type { ScriptAddresses } from '../../contract/site-settings.ts';
import type { TrafficSourcePool } from '../../domain/traffic-source.ts';
import type { ScriptRule } from '../../flows/engine/page-scripts.ts';

/** A script that a page loads when its rule holds. The page's policy allows its host. */
export type ThirdPartyScript = Omit<ScriptRule, 'script'> & {
  readonly src: string;
  /** For the visits of this traffic source pool only. */
  readonly pool?: TrafficSourcePool;
};

/** The scripts that a flow loads on this site: those of its rules whose address is set. */
export function thirdPartyScripts(
  rules: readonly ScriptRule[] = [],
  addresses: ScriptAddresses,
): readonly ThirdPartyScript[] {
  return rules.flatMap(({ script, ...rule }): readonly ThirdPartyScript[] => {
    const scripts: ThirdPartyScript[] =
      script === 'caseWorth' && addresses.caseWorthFacebook
        ? [
            { ...rule, src: addresses.caseWorth, pool: 'google' },
            { ...rule, src: addresses.caseWorthFacebook, pool: 'facebook' },
          ]
        : [{ ...rule, src: addresses[script] }];
    return scripts.filter(({ src }) => src !== '');
  });
}
