import type { UseQueryResult } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { timeOfDay } from '../format.ts';
import { Button } from './controls.tsx';
import { useTimeZone } from './values.tsx';

type PageProps = {
  readonly title: string;
  /** Sentences about the numbers on the page. */
  readonly summary?: readonly string[] | undefined;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** The path of the previous page. */
let shownPath: string | undefined;

/** Draws a page and focuses the heading. */
export function Page({ title, summary = ['\u00a0'], actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Uses the path of the displayed page, because the URL changes before the page does.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  useEffect(() => {
    // Browsers focus the body when the focused element is removed from the page.
    const isLost = document.activeElement === document.body;
    if (shownPath !== undefined && (shownPath !== path || isLost)) {
      heading.current?.focus({ preventScroll: true });
    }
    shownPath = path;
  }, [path]);
  return (
    <>
      <header className="page-head row spread">
        <div className="page-words">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className="page-summary">{summary.join(' ')}</p>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Focuses an element when it is drawn, because the element with the focus is gone. */
export const focused = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

type CardProps = {
  readonly title?: string | undefined;
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
};

export function Card({ title, actions, className = '', isBusy = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      className={`card ${className}`}
      aria-busy={isBusy}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {(title !== undefined || actions) && (
        <header className="card-head row spread">
          <h2 id={id}>{title}</h2>
          {actions && <div className="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

type Query<T> = Pick<
  UseQueryResult<T, Error>,
  'data' | 'error' | 'isPending' | 'isFetching' | 'dataUpdatedAt'
> & { readonly refetch: () => unknown };

type AnswerProps<T> = {
  readonly query: Query<T>;
  readonly rows?: number | undefined;
  /** The text for an answer without data. */
  readonly empty?: ReactNode;
  /** Returns whether an answer has no data. */
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ReactNode;
};

export type PanelProps<T> = AnswerProps<T> & Omit<CardProps, 'isBusy' | 'children'>;

/** Draws the answer of a request in a card. */
export function Panel<T>(props: PanelProps<T>) {
  const { title, query, actions, className } = props;
  return (
    <Card title={title} actions={actions} className={className} isBusy={query.isPending}>
      <Answer {...props} />
    </Card>
  );
}

/** Draws the answer of a request, or its error. */
export function Answer<T>({ query, rows = 5, empty, isEmpty, children }: AnswerProps<T>) {
  const { data, error } = query;
  const timeZone = useTimeZone();
  if (data === undefined && !error) return <Skeleton rows={rows} />;
  const isNothing = data && isEmpty?.(data);
  return (
    <>
      {error && (
        <Failure
          title={
            data === undefined
              ? 'This could not be loaded.'
              : `From ${timeOfDay(new Date(query.dataUpdatedAt).toISOString(), timeZone)}.`
          }
          error={error}
          onRetry={query.refetch}
          isPending={query.isFetching}
        />
      )}
      {data !== undefined && (isNothing && empty ? <Empty>{empty}</Empty> : children(data))}
    </>
  );
}

type FailureProps = {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly isPending?: boolean;
};

export function Failure({ title, error, onRetry, isPending = false }: FailureProps) {
  return (
    <div className="warning spread" role="alert">
      <p>
        <strong>{title}</strong> {error.message}
      </p>
      <Button onPress={onRetry} isPending={isPending}>
        Try again
      </Button>
    </div>
  );
}

/** Shows why an action failed. */
export function Problem({ of: error }: { readonly of: unknown }) {
  if (!error) return null;
  return (
    <p className="problem" role="alert">
      {error instanceof Error ? error.message : String(error)}
    </p>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div className="skeleton" role="status" style={{ height: `calc(${rows} * var(--row))` }}>
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
