import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type GoProps = {
  /** A path of the console, with its query: `/leads?survey=/survey/v4nv`. */
  readonly to: string;
  readonly className?: string;
  readonly label?: string;
  readonly children: ReactNode;
};

/** Links to a path of the console, and loads its code when the pointer rests on it. */
export function Go({ to, className, label, children }: GoProps) {
  const [path = '/', query = ''] = to.split('?');
  return (
    <Link
      to={path}
      search={Object.fromEntries(new URLSearchParams(query)) as never}
      className={className}
      aria-label={label}
    >
      {children}
    </Link>
  );
}
