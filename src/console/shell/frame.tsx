import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { Me } from '../../contract/console/people.ts';
import { useApi } from '../api.ts';
import { timeOfDay } from '../format.ts';
import { announcerId } from '../parts/announce.ts';
import { Icon } from '../parts/icon.tsx';
import { Panel } from '../parts/page.tsx';
import { useTimeZone } from '../parts/values.tsx';
import { PagePending } from './fallbacks.tsx';
import { Keys } from './keys.tsx';
import { newestData, useLive } from './live.ts';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';

/** Draws what surrounds every page: rail, top bar, banner. The page waits until the operator is known. */
export function Frame() {
  const me = useApi<Me>('/api/me', {}, { staleTime: 5 * 60_000 });
  const live = useLive();
  return (
    <div className="frame">
      <button
        type="button"
        className="skip"
        onClick={() => document.getElementById('main')?.focus()}
      >
        Skip to the content
      </button>
      <Rail live={live} company={me.data?.company ?? ''} />
      <div className="frame-column">
        <TopBar />
        {live === 'away' && <AwayBanner />}
        <main id="main" tabIndex={-1}>
          {me.data ? (
            <Outlet />
          ) : me.error ? (
            <Panel query={me}>{() => null}</Panel>
          ) : (
            <PagePending />
          )}
        </main>
      </div>
      <Keys />
      <div id={announcerId} className="visually-hidden" role="status" />
    </div>
  );
}

function AwayBanner() {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const newest = newestData(client);
  return (
    <div className="banner" role="status">
      <Icon name="alert" />
      <p>
        <strong>{navigator.onLine ? 'The server does not answer.' : 'You are offline.'}</strong>{' '}
        {newest > 0 && `You see data from ${timeOfDay(new Date(newest).toISOString(), timeZone)}. `}
        It is tried again until it answers.
      </p>
    </div>
  );
}
