/** Invented persons, places and devices of the demo's history. No number or address belongs to anybody. */
import type { Random } from './random.ts';

const firstNames = {
  en: 'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Karen Charles Sarah Christopher Lisa Daniel Nancy Matthew Ashley Anthony Emily Marcus Tanya Andre Keisha',
  es: 'José María Luis Carmen Juan Guadalupe Carlos Rosa Miguel Ana Jorge Leticia Pedro Verónica Rafael Silvia',
} as const;
const lastNames = {
  en: 'Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin Lee Thompson White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Nelson Baker',
  es: 'García Martínez Rodríguez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Reyes Morales',
} as const;

/** Zip codes by weight, each with an area code of its region. */
const places: Readonly<Record<string, readonly [weight: number, area: string]>> = {
  '77002': [11, '713'],
  '90012': [10, '213'],
  '33101': [9, '305'],
  '10001': [8, '212'],
  '60601': [7, '312'],
  '30303': [7, '404'],
  '85004': [6, '602'],
  '89101': [5, '702'],
  '19103': [5, '215'],
  '43215': [4, '614'],
  '28202': [4, '704'],
  '48226': [4, '313'],
  '37203': [3, '615'],
  '98101': [3, '206'],
  '80202': [3, '303'],
  '63101': [3, '314'],
  '70112': [3, '504'],
  '29201': [2, '803'],
  '46204': [2, '317'],
  '35203': [2, '205'],
  '07102': [2, '973'],
  '73102': [2, '405'],
  '53202': [1, '414'],
  '68102': [1, '402'],
};
const zipWeights = Object.fromEntries(
  Object.entries(places).map(([zip, [weight]]) => [zip, weight]),
);

const descriptions = {
  en: [
    'I was stopped at a red light when another driver hit my car from behind and my neck hurts.',
    'A pickup ran a stop sign and struck the passenger side. I have had back pain since.',
    'The other driver changed lanes without looking and pushed us into the barrier.',
    'I was rear ended on the interstate. The airbag opened and I went to the hospital.',
    'A delivery van backed into my car in a parking lot while I was sitting in it.',
    'Somebody turned left in front of me. My knee hit the dashboard and still swells.',
    'We were hit at an intersection by a driver who was looking at the phone.',
    'It was raining and the truck behind me could not stop in time. Whiplash and headaches.',
    'A hit and run on Main Street, I could read part of the plate and called the police.',
    'My car was totaled when an SUV crossed the center line. Two ribs were broken.',
  ],
  es: [
    'Estaba parado en un semáforo y otro conductor me golpeó por detrás. Me duele el cuello.',
    'Una camioneta no respetó el alto y chocó mi puerta. Tengo dolor de espalda desde entonces.',
    'El otro conductor cambió de carril sin mirar y nos empujó contra la barrera.',
    'Me chocaron en la autopista y tuve que ir al hospital por el golpe en la cabeza.',
  ],
} as const;

const browsers = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/604.1',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
} as const;
export type Browser = keyof typeof browsers;

/** What a visitor types, by field, with the browser that is used. */
export type Person = {
  readonly typed: Readonly<Record<string, string>>;
  readonly zip: string;
  readonly userAgent: string;
  readonly address: string;
};

/** Invents a person. `serial` keeps the addresses of two persons apart. */
export function invent(
  random: Random,
  serial: number,
  { language, browser }: { readonly language: 'en' | 'es'; readonly browser: Browser },
): Person {
  const origin = language === 'es' || random.chance(0.15) ? 'es' : 'en';
  const first_name = random.pick(firstNames[origin].split(' '));
  const last_name = random.pick(lastNames[origin].split(' '));
  const zip = random.weighted(zipWeights);
  const [, area = '212'] = places[zip] ?? [];
  // 555-0100 to 555-0199 are reserved for fiction, so some persons share a number.
  const phone = `${area}5550${100 + (serial % 100)}`;
  const name = `${first_name}.${last_name}`
    .normalize('NFD')
    .replace(/[^\w.]/g, '')
    .toLowerCase();
  const born = String(1950 + random.integer(0, 55));
  return {
    zip,
    userAgent: browsers[browser],
    // 198.18.0.0/15 is reserved for measurements.
    address: `198.${18 + (serial >> 16)}.${(serial >> 8) & 255}.${serial & 255}`,
    typed: {
      first_name,
      last_name,
      phone,
      email: `${name}.${serial}@${random.pick(['example.com', 'example.net', 'example.org'])}`,
      zip_code: zip,
      case_description: random.pick(descriptions[language]),
      law_firm_name: 'Garcia and Lopez Law',
      current_compensation: String(1_000 * random.integer(2, 60)),
      address: `${random.integer(10, 9_900)} ${random.pick(['Main', 'Oak', 'Cedar', 'Lake', 'Hill'])} Street`,
      date_of_birth_month: String(random.integer(1, 13)).padStart(2, '0'),
      date_of_birth_day: String(random.integer(1, 28)).padStart(2, '0'),
      date_of_birth_year: born,
    },
  };
}
