import { Link, useSearch } from '@tanstack/react-router';
import type { NowAnswer } from '../../contract/console/numbers.ts';
import { addressOf, useApi } from '../api.ts';
import { count } from '../format.ts';
import { useGo } from '../parts/address.tsx';
import { Menu } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { periodKeysOf } from '../parts/period.tsx';
import type { LiveStatus } from './live.ts';
import { type PagePlace, pages } from './pages.ts';

const liveTexts: Readonly<Record<LiveStatus, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  away: 'Not live',
};

/** On a phone the bar has the first four entries; the rest is behind its last button. */
const barPlaces = 4;

type RailProps = { readonly live: LiveStatus; readonly company: string };

/** Leads to the pages: a rail at the side, or a bar at the bottom of a phone. The period stays. */
export function Rail({ live, company }: RailProps) {
  const search = periodKeysOf(useSearch({ strict: false }));
  const go = useGo();
  return (
    <nav className="rail" aria-label="Pages">
      <div className="rail-head row">
        <span className="rail-mark">
          <Icon name="overview" />
        </span>
        <span className="clip small">{company || 'Console'}</span>
      </div>
      <ul className="rail-list">
        {pages.map((page, index) => (
          <li key={page.path} data-more={index >= barPlaces}>
            <RailLink page={page} search={search} />
          </li>
        ))}
        <li className="rail-more">
          <Menu
            label="More pages"
            className="rail-link"
            items={pages.slice(barPlaces).map(({ path, title }) => ({ id: path, label: title }))}
            onAction={(path) => go(addressOf(path, search))}
          >
            <Icon name="more" />
            <span>More</span>
          </Menu>
        </li>
      </ul>
      <p className="live row" data-live={live}>
        {liveTexts[live]}
      </p>
    </nav>
  );
}

type RailLinkProps = { readonly page: PagePlace; readonly search: object };

function RailLink({ page: { path, title, icon }, search }: RailLinkProps) {
  return (
    <Link
      className="rail-link"
      to={path}
      search={search as never}
      activeOptions={{ exact: path === '/', includeSearch: false }}
    >
      <Icon name={icon} />
      <span>{title}</span>
      {path === '/' && <Urgent />}
    </Link>
  );
}

/** Counts the matters that need a person now. */
function Urgent() {
  const { data } = useApi<NowAnswer>('/api/now');
  const urgent = data?.attention.filter(({ isUrgent }) => isUrgent).length ?? 0;
  if (urgent === 0) return null;
  return (
    <span className="rail-count">
      {count(urgent)}
      <span className="visually-hidden"> {urgent === 1 ? 'matter' : 'matters'} to look at</span>
    </span>
  );
}
