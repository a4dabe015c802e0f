import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../parts/controls.tsx';
import { Go } from '../parts/link.tsx';
import { Page, Skeleton } from '../parts/page.tsx';

/** Stands where a page will be while its code is loading. */
export function PagePending() {
  return (
    <div className="card">
      <Skeleton rows={8} />
    </div>
  );
}

/** Says that an address leads nowhere. */
export function MissingPage() {
  return (
    <Page title="There is no such page" summary={['The address is wrong, or the page has moved.']}>
      <p>
        <Go to="/" className="text-link">
          Go to the overview
        </Go>
      </p>
    </Page>
  );
}

/** Says that a page has failed, and loads it again. The rest of the console still works. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <Page title="This page has failed" summary={['Your data is safe. Load the page again.']}>
      <div className="card">
        <div className="failure" role="alert">
          <p>{error instanceof Error ? error.message : String(error)}</p>
          <Button onPress={() => location.reload()}>Load again</Button>
        </div>
      </div>
    </Page>
  );
}
