import type { UseQueryResult } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { ApiError } from '../api.ts';
import { timeOfDay } from '../format.ts';
import { announce } from './announce.ts';
import { Button } from './controls.tsx';
import { useTimeZone } from './values.tsx';

type PageProps = {
  readonly title: string;
  /** One or two sentences computed from the numbers. Undefined while they are loading. */
  readonly summary?: readonly string[] | undefined;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** The last page whose heading had the focus. The first page after loading does not take it. */
let shownPath: string | undefined;

/** Draws a page: heading, summary, actions, content. Moves the focus to the heading on navigation. */
export function Page(props: PageProps) {
  const { title, summary, actions, children } = props;
  const isWaiting = 'summary' in props && summary === undefined;
  const heading = useRef<HTMLHeadingElement>(null);
  // The address changes while the page before is still shown; its own match does not.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  useEffect(() => {
    // The focus is also lost when another page has the same path, such as a survey's.
    const isLost = document.activeElement === document.body;
    if (shownPath !== undefined && (shownPath !== path || isLost)) {
      heading.current?.focus({ preventScroll: true });
      announce(heading.current?.textContent ?? '');
    }
    shownPath = path;
  }, [path]);
  return (
    <>
      <header className="page-head">
        <div className="page-words">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {summary !== undefined && summary.length > 0 && (
            <p className="page-summary">{summary.join(' ')}</p>
          )}
          {isWaiting && <p className="page-summary">&nbsp;</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

type CardProps = {
  readonly title?: string | undefined;
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
};

/** Draws a titled area of a page. */
export function Card({ title, actions, className = '', isBusy = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      className={`card ${className}`}
      aria-busy={isBusy}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {(title !== undefined || actions !== undefined) && (
        <header className="card-head">
          {title !== undefined && <h2 id={id}>{title}</h2>}
          {actions !== undefined && <div className="card-actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

type AnswerProps<T> = {
  readonly query: UseQueryResult<T, Error>;
  /** Rows of the skeleton: about as many as the content will have. */
  readonly rows?: number;
  /** The skeleton instead of rows, if the content has another shape. */
  readonly skeleton?: ReactNode;
  /** Shown if there is no data: what it means and what to do next. */
  readonly empty?: ReactNode;
  /** Tells whether there is no data. Default: an empty list. */
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ReactNode;
};

type PanelProps<T> = AnswerProps<T> & {
  readonly title?: string | undefined;
  readonly actions?: ReactNode;
  readonly className?: string;
};

/** Draws the answer of one request. Each panel loads and fails by itself. */
export function Panel<T>(props: PanelProps<T>) {
  const { title, query, actions, className } = props;
  return (
    <Card title={title} actions={actions} className={className} isBusy={query.isPending}>
      <Answer {...props} />
    </Card>
  );
}

/** Draws the answer of one request without a box of its own: skeleton, failure, emptiness or content. */
export function Answer<T>(props: AnswerProps<T>) {
  const { query, rows = 5, skeleton, empty, isEmpty, children } = props;
  if (query.data === undefined) {
    return query.error ? <Failure query={query} /> : (skeleton ?? <Skeleton rows={rows} />);
  }
  const { data } = query;
  const isNothing = isEmpty ? isEmpty(data) : Array.isArray(data) && data.length === 0;
  return (
    <>
      {query.error && <Stale query={query} />}
      {isNothing && empty !== undefined ? <Empty>{empty}</Empty> : children(data)}
    </>
  );
}

/** Says that there is nothing, and what to do next. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

/** Draws the rows of a table that is loading. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without data have no other key
        <span className="skeleton-row" key={row} />
      ))}
    </div>
  );
}

function reason(error: Error): string {
  return error instanceof ApiError ? error.detail : error.message;
}

function Failure({ query }: { readonly query: UseQueryResult<unknown, Error> }) {
  return (
    <div className="failure" role="alert">
      <p>
        <strong>This could not be loaded.</strong> {query.error && reason(query.error)}
      </p>
      <Button onPress={() => query.refetch()} isPending={query.isFetching}>
        Try again
      </Button>
    </div>
  );
}

function Stale({ query }: { readonly query: UseQueryResult<unknown, Error> }) {
  const timeZone = useTimeZone();
  const at = timeOfDay(new Date(query.dataUpdatedAt).toISOString(), timeZone);
  return (
    <div className="stale" role="status">
      <p>
        From {at}. {query.error && reason(query.error)}
      </p>
      <Button onPress={() => query.refetch()} isPending={query.isFetching}>
        Update
      </Button>
    </div>
  );
}
