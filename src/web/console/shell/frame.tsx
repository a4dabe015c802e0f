import { Link, Outlet, useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { NowAnswer } from '../../../model/messages/console/numbers.ts';
import { addressOf, polled, useApi, useMe, useMeQuery } from '../api.ts';
import { count, timeOfDay } from '../format.ts';
import { Go, useGo } from '../parts/address.tsx';
import { Form, OptionList, Popup } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { Answer, Skeleton } from '../parts/page.tsx';
import { PeriodPicker, periodKeysOf } from '../parts/period.tsx';
import { useTimeZone } from '../parts/values.tsx';
import { type PagePlace, pages } from './pages.ts';

/** Draws the navigation and the banner around each page. */
export function Frame() {
  const me = useMeQuery();
  const now = useApi<NowAnswer>('/api/now', {}, polled);
  useKeys();
  return (
    <div className="frame">
      <button
        type="button"
        className="skip button"
        onClick={() => document.getElementById('main')?.focus()}
      >
        Skip to the content
      </button>
      <Rail company={me.data?.company ?? ''} />
      <div>
        <TopBar />
        {(now.isError || now.isPaused) && <AwayBanner newest={now.dataUpdatedAt} />}
        <main id="main" tabIndex={-1}>
          {me.data ? (
            <Outlet />
          ) : (
            <div className="card">
              <Answer query={me} rows={8}>
                {() => null}
              </Answer>
            </div>
          )}
        </main>
      </div>
    </div>
  );
}

export function PagePending() {
  return (
    <div className="card">
      <Skeleton rows={8} />
    </div>
  );
}

/** Warns that the server does not answer. `newest` is the time of the last answer. */
function AwayBanner({ newest }: { readonly newest: number }) {
  const timeZone = useTimeZone();
  return (
    <div className="banner warning" role="status">
      <Icon name="alert" />
      <p>
        <strong>{navigator.onLine ? 'The server does not answer.' : 'You are offline.'}</strong>{' '}
        {newest > 0 && `You see data from ${timeOfDay(new Date(newest).toISOString(), timeZone)}. `}
        The console tries again until it answers.
      </p>
    </div>
  );
}

const searchId = 'search';

/** While the focus is in such an element, keyboard shortcuts are off. */
const typing =
  'input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog], [role=menu], [role=listbox]';

/** Handles the keyboard shortcuts. */
function useKeys(): void {
  useEffect(() => {
    const moveRow = (by: 1 | -1) => {
      const all = [...document.querySelectorAll<HTMLElement>('#main [data-row]')];
      const rows = all.filter((row) => row.checkVisibility());
      const now = rows.findIndex((row) => row.contains(document.activeElement));
      const next = now === -1 ? rows[0] : rows[now + by];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: 'nearest' });
    };
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, defaultPrevented, target, key } = event;
      const isElsewhere = !(target instanceof HTMLElement) || target.closest(typing) !== null;
      if (ctrlKey || metaKey || altKey || defaultPrevented || isElsewhere) return;
      const link = target.dataset.row === undefined ? null : target.querySelector('a');
      if (key === '/') document.getElementById(searchId)?.focus();
      else if (key === 'j') moveRow(1);
      else if (key === 'k') moveRow(-1);
      else if (key === 'Enter' && link) link.click();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function TopBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const hasPeriod = pages.find((page) => page.path === path)?.hasPeriod;
  return (
    <header className="top-bar row spread">
      <Search />
      <div className="row">
        {hasPeriod && <PeriodPicker />}
        <Profile />
      </div>
    </header>
  );
}

function Search() {
  const go = useGo();
  const [text, setText] = useState('');
  return (
    <search>
      <Form
        onSubmit={() => {
          if (text.trim() === '') return;
          setText('');
          go(addressOf('/leads', { q: text.trim() }));
        }}
      >
        <input
          id={searchId}
          className="input"
          type="search"
          aria-label="Search leads by phone, e-mail, last name or id"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          placeholder="Phone, e-mail, last name or lead id (press /)"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Form>
    </search>
  );
}

function Profile() {
  const email = useMe()?.email ?? '';
  return (
    <Go to="/system?tab=account" className="avatar" label={`Your account, ${email}`}>
      {email[0]?.toUpperCase()}
    </Go>
  );
}

/** The number of links in the navigation bar on a phone. */
const barPlaces = 4;

function Rail({ company }: { readonly company: string }) {
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
      <ul>
        {pages.map((page, index) => (
          <li key={page.path} data-more={index >= barPlaces}>
            <RailLink page={page} search={search} />
          </li>
        ))}
        <li className="rail-more">
          <Popup
            label="More pages"
            trigger={
              <Button className="rail-link" aria-label="More pages">
                <Icon name="more" />
                <span>More</span>
              </Button>
            }
          >
            {(close) => (
              <OptionList
                items={pages
                  .slice(barPlaces)
                  .map(({ path, title }) => ({ id: path, label: title }))}
                onChoose={(path) => {
                  close();
                  go(addressOf(path, search));
                }}
              />
            )}
          </Popup>
        </li>
      </ul>
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
