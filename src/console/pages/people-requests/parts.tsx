/** What the tabs of this page share. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { PersonReceipt } from '../../../contract/console/people-requests.ts';
import { count, leadName } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { Go } from '../../parts/link.tsx';
import { Ago, Code } from '../../parts/values.tsx';

type Address = Readonly<Partial<Record<'tab' | 'outcome' | 'after', string>>>;

/** Reads this page's keys of the address, and changes them. */
export function useAddress() {
  const address: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (next: { readonly [Key in keyof Address]: string | undefined }) => {
    const search = (now: Address) => ({ ...now, ...next });
    void navigate({ to: '.', search: search as never });
  };
  return { ...address, go };
}

/** Goes to older entries and back to the newest ones. */
export function Pages({ next }: { readonly next: string | null }) {
  const { after, go } = useAddress();
  if (next === null && after === undefined) return null;
  return (
    <nav className="requests-pages" aria-label="Newer and older entries">
      <Button isDisabled={after === undefined} onPress={() => go({ after: undefined })}>
        Newest
      </Button>
      <Button isDisabled={next === null} onPress={() => go({ after: next ?? undefined })}>
        Older
      </Button>
    </nav>
  );
}

/** Returns a number with its noun: `1 lead`, `3 leads`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Lists who received a person's data and has to be told, then who received only ids. */
export function Receipts({ receipts }: { readonly receipts: readonly PersonReceipt[] }) {
  const told = receipts.filter(({ isPersonal }) => isPersonal);
  const names = new Set(receipts.map(({ destination }) => destination));
  for (const { destination } of told) names.delete(destination);
  return (
    <div className="receipts">
      <h3>Who has to be told</h3>
      {told.length === 0 && <p className="quiet">Nobody received personal data.</p>}
      <ul>
        {told.map(({ destination, leadId, text, at }) => (
          <li key={`${destination} ${leadId} ${at}`}>
            <strong>{destination}</strong> {text} <Ago at={at} /> · <LeadLink id={leadId} />
          </li>
        ))}
      </ul>
      {names.size > 0 && (
        <p className="quiet">Received only ids or a zip code: {[...names].join(', ')}.</p>
      )}
    </div>
  );
}

/** Links to a lead. */
export function LeadLink({ id }: { readonly id: string }) {
  return (
    <Go to={`/leads/${id}`} label={`Lead ${id}`}>
      <Code>{leadName(id)}</Code>
    </Go>
  );
}
