/** Tests every configured third party with one call that has no effect. */
import type { Settings } from '../config/settings.ts';
import type { ThirdParty } from '../config/third-parties.ts';
import { thirdPartyProbes } from '../probes/third-parties.ts';
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import type { Finding } from './finding.ts';

/** Returns a finding for each third party, in the order of the start summary. */
export async function checkThirdParties(
  settings: Settings,
  http: OutgoingHttp,
): Promise<Finding[]> {
  const probes = thirdPartyProbes(settings, http);
  return Promise.all(
    settings.thirdParties.map(async (party): Promise<Finding> => {
      if (party.state === 'off' || party.state === 'embedded') return withoutAccount(party);
      const { state, text: found } = (await probes[party.name]?.()) ?? {
        state: 'not_tried',
        text: 'set up; open a page that uses it',
      };
      const text = party.state === 'sandbox' ? `the sandbox: ${found}` : found;
      const next = state === 'wrong' ? `check ${party.needs.join(', ')}` : undefined;
      return { about: party.title, state, text, next };
    }),
  );
}

function withoutAccount({ title, state, needs, instead }: ThirdParty): Finding {
  const text = instead ?? 'nothing replaces it';
  const next = needs.length > 0 ? `to turn it on: ${needs.join(', ')}` : undefined;
  return { about: title, state: state === 'embedded' ? 'embedded' : 'off', text, next };
}
