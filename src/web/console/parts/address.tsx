import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { leadName } from '../format.ts';
import { Button } from './controls.tsx';

export type UrlQuery = Readonly<Record<string, string | undefined>>;

function placeOf(to: string) {
  const [path = '/', query = ''] = to.split('?');
  return { to: path, search: Object.fromEntries(new URLSearchParams(query)) as never };
}

type GoProps = {
  /** A path with its query, such as `/leads?survey=/survey/v4nv`. */
  readonly to: string;
  readonly className?: string;
  readonly label?: string;
  readonly children: ReactNode;
};

/** Links to a page of the console. */
export function Go({ to, className = 'text-link', label, children }: GoProps) {
  return (
    <Link {...placeOf(to)} className={className} aria-label={label}>
      {children}
    </Link>
  );
}

export function LeadLink({ id }: { readonly id: string }) {
  return (
    <Go to={`/leads/${id}`} className="text-link mono" label={`Lead ${leadName(id)}`}>
      {leadName(id)}
    </Go>
  );
}

export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  return (to) => void navigate(placeOf(to));
}

/** Returns the URL's query, with a function that changes the query. */
export function useUrlQuery(): readonly [UrlQuery, (keys: UrlQuery, isStep?: boolean) => void] {
  const address: UrlQuery = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (keys: UrlQuery, isStep = false) => {
    const search = (now: UrlQuery) => ({ ...now, ...keys });
    void navigate({ to: '.', search: search as never, replace: !isStep, resetScroll: false });
  };
  return [address, change];
}

/** Shows the buttons for the first and the next page of a list. */
export function Pages({ next }: { readonly next: string | null }) {
  const [{ after }, change] = useUrlQuery();
  if (next === null && after === undefined) return null;
  return (
    <nav className="row pages" aria-label="Pages of the list">
      <Button isDisabled={after === undefined} onPress={() => change({ after: undefined })}>
        First
      </Button>
      <Button isDisabled={next === null} onPress={() => change({ after: next ?? undefined })}>
        Next
      </Button>
    </nav>
  );
}

/** Returns the URL to open after the sign-in, which is never on another host. */
export function safeAddress(asked: string | undefined, origin: string): string {
  const home = `${origin}/`;
  if (!asked?.startsWith('/') || !URL.canParse(asked, origin)) return home;
  const { origin: host, pathname, href } = new URL(asked, origin);
  const isPage = host === origin && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname);
  return isPage ? href : home;
}
