import * as v from 'valibot';
import type { ZipAnswer } from '../../contract/checks.ts';
import type { ZipLookup } from '../../intake/context.ts';
import type { Ask } from '../lookups/ask.ts';
import { readJson } from './answer.ts';
import type { Service } from './service.ts';

const name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100));
const schema = v.object({
  places: v.pipe(
    v.array(
      v.object({
        'place name': name,
        state: name,
        'state abbreviation': v.pipe(v.string(), v.trim(), v.regex(/^[A-Z]{2}$/)),
      }),
    ),
    v.minLength(1),
  ),
});

/**
 * Creates the zip look-up of a service: `GET {base}/us/{zip}` in Zippopotam's format; the first
 * place counts. Our own table provides the county, and zip codes that the service does not know
 * (404) (docs/specification.md#zip-look-up).
 */
export function createZipService(service: Service, own: ZipLookup): Ask<string, ZipAnswer> {
  const read = readJson(schema);
  return (zip) =>
    service.ask({ method: 'GET', path: `/us/${encodeURIComponent(zip)}` }, (answer) => {
      const ours = own(zip);
      if (answer.status === 404) return ours;
      const [place] = read(answer)?.places ?? [];
      if (place === undefined) return undefined;
      const { 'place name': city, 'state abbreviation': state, state: state_long } = place;
      // A county from another state would be wrong.
      const county = ours.state === state ? ours.county : '';
      return { zip, city, state, state_long, county };
    });
}
