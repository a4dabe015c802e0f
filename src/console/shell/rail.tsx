import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { NowAnswer } from '../../contract/console/numbers.ts';
import { useApi } from '../api.ts';
import { count } from '../format.ts';
import { Menu } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import type { LiveStatus } from './live.ts';
import { periodKeys } from './period.tsx';
import { type Place, places } from './places.ts';

const liveTexts: Readonly<Record<LiveStatus, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  away: 'Not live',
};

/** On a phone the bar has the first four entries; the rest is behind its last button. */
const barPlaces = 4;

/** Returns the keys of the period, which stay from page to page. */
function useKeptSearch(): Readonly<Record<string, string>> {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  return Object.fromEntries(
    periodKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])),
  );
}

type RailProps = { readonly live: LiveStatus; readonly company: string };

/** Leads to the pages: a rail at the side, or a bar at the bottom of a phone. */
export function Rail({ live, company }: RailProps) {
  const search = useKeptSearch();
  const navigate = useNavigate();
  const urgent = useUrgent();
  return (
    <nav className="rail" aria-label="Pages">
      <div className="rail-head">
        <span className="rail-mark">
          <Icon name="overview" />
        </span>
        <span className="rail-name">{company || 'Console'}</span>
      </div>
      <ul className="rail-list">
        {places.map((place, index) => (
          <li key={place.path} data-more={index >= barPlaces}>
            <RailLink place={place} search={search} urgent={place.path === '/' ? urgent : 0} />
          </li>
        ))}
        <li className="rail-more">
          <Menu
            label="More pages"
            items={places.slice(barPlaces).map(({ path, label }) => ({ id: path, label }))}
            onAction={(path) => void navigate({ to: path, search: search as never })}
          >
            <Icon name="more" />
            <span>More</span>
          </Menu>
        </li>
      </ul>
      <p className="live" data-live={live}>
        {liveTexts[live]}
      </p>
    </nav>
  );
}

type RailLinkProps = {
  readonly place: Place;
  readonly search: Readonly<Record<string, string>>;
  /** Matters that need a person now. */
  readonly urgent: number;
};

function RailLink({ place, search, urgent }: RailLinkProps) {
  const { path, label, icon, key } = place;
  return (
    <Link
      className="rail-link"
      to={path}
      search={search as never}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      aria-keyshortcuts={`g ${key}`}
    >
      <Icon name={icon} />
      <span>{label}</span>
      {urgent > 0 && (
        <span className="rail-count">
          {count(urgent)}
          <span className="visually-hidden"> {urgent === 1 ? 'matter' : 'matters'} to look at</span>
        </span>
      )}
    </Link>
  );
}

/** Returns how many matters need a person now. */
function useUrgent(): number {
  const { data } = useApi<NowAnswer>('/api/now');
  return data?.attention.filter(({ isUrgent }) => isUrgent).length ?? 0;
}
