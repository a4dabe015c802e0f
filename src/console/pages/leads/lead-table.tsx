import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef, useSyncExternalStore } from 'react';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { Icon } from '../../parts/icon.tsx';
import { leadColumns } from './columns.tsx';
import { LeadRow, type RowShape } from './lead-row.tsx';
import type { SelectionState } from './selection.ts';
import type { LeadOrder } from './use-leads.ts';

const heights = { wide: 36, phone: 60 };
/** Rows that stand for leads still to be loaded, so that scrolling never meets the end too early. */
const PLACEHOLDERS = 30;
const OVERSCAN = 12;

type LeadTableProps = {
  readonly rows: readonly LeadRowAnswer[];
  readonly hasMore: boolean;
  /** Loads the next page, unless it is loading; called again and again while its place is in view. */
  readonly onMore: () => void;
  readonly selection: SelectionState;
  readonly canSelect: boolean;
  readonly order: LeadOrder;
  readonly onOrder: (order: LeadOrder) => void;
  /** Names the list: with its name its scroll position comes back. */
  readonly name: string;
  /** Counts the refreshes: after one the list begins at its top. */
  readonly refreshes: number;
};

/** Where each list was scrolled to, while the console is open. */
const scrolled = new Map<string, number>();

/** Draws the list as a virtual table: only the rows in view are in the document. */
export function LeadTable(props: LeadTableProps) {
  const { rows, hasMore, onMore, selection, canSelect, name, refreshes, order, onOrder } = props;
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const height = heights[isPhone ? 'phone' : 'wide'];
  const all = rows.length + (hasMore ? PLACEHOLDERS : 0);
  const virtual = useVirtualizer({
    count: all,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    initialOffset: () => scrolled.get(name) ?? 0,
    onChange: ({ scrollOffset }) => scrolled.set(name, scrollOffset ?? 0),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height makes all measures wrong
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    if (refreshes > 0) virtual.scrollToOffset(0);
  }, [refreshes, virtual]);
  const items = virtual.getVirtualItems();
  const isEndNear = (items.at(-1)?.index ?? 0) >= rows.length;
  // Again after each page, as its end may still be in view.
  useEffect(() => {
    if (hasMore && isEndNear) onMore();
  });
  const shape: RowShape = { isPhone, canSelect };
  return (
    <div className="leads-scroll" ref={box}>
      <table
        aria-label="Leads"
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className="leads-table"
        style={{ '--leads-tracks': tracks(shape), '--leads-row': `${height}px` } as CSSProperties}
      >
        <Header {...shape} {...{ rows, selection, order, onOrder }} />
        <tbody className="leads-body" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return <LoadingRow key={index} top={start} />;
            return (
              <LeadRow
                {...shape}
                key={row.id}
                row={row}
                index={index}
                top={start}
                isSelected={selection.isAll || selection.ids.has(row.id)}
                onOpen={(id) => void navigate({ to: '/leads/$id', params: { id } as never })}
                onSelect={(id, through) => selection.toggle(id, rows, through)}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function LoadingRow({ top }: { readonly top: number }) {
  return (
    <tr className="leads-row leads-loading" style={{ transform: `translateY(${top}px)` }}>
      <td className="visually-hidden">Loading</td>
    </tr>
  );
}

/** Draws the table while its first page is loading. */
export function LeadTableSkeleton() {
  const shape: RowShape = { isPhone: useIsPhone(), canSelect: false };
  return (
    <div className="leads-scroll" role="status" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <div
        className="leads-table"
        aria-hidden="true"
        style={{ '--leads-tracks': tracks(shape), '--leads-row': 'var(--row)' } as CSSProperties}
      >
        {Array.from({ length: 20 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without data have no other key
          <span key={row} className="leads-row leads-loading" />
        ))}
      </div>
    </div>
  );
}

type HeaderProps = RowShape &
  Pick<LeadTableProps, 'order' | 'onOrder'> & {
    readonly rows: readonly LeadRowAnswer[];
    readonly selection: SelectionState;
  };

function Header({ isPhone, canSelect, rows, selection, order, onOrder }: HeaderProps) {
  const isWhole = selection.isAll || (rows.length > 0 && selection.ids.size >= rows.length);
  const box = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = !isWhole && selection.ids.size > 0;
  };
  return (
    <thead className="leads-head">
      <tr aria-rowindex={1} className="leads-row">
        {canSelect && (
          <th scope="col" className="leads-cell leads-box">
            <input
              type="checkbox"
              ref={box}
              aria-label="Select the loaded leads"
              checked={isWhole}
              onChange={() =>
                isWhole ? selection.clear() : selection.selectThese(rows.map(({ id }) => id))
              }
            />
          </th>
        )}
        {(isPhone ? [{ id: 'lead', header: 'Lead' }] : leadColumns).map(({ id, header }) => (
          <th
            scope="col"
            className="leads-cell"
            key={id}
            aria-sort={
              id !== 'received' ? undefined : order === 'newest' ? 'descending' : 'ascending'
            }
          >
            {id === 'received' ? (
              <button
                type="button"
                className="sort"
                onClick={() => onOrder(order === 'newest' ? 'oldest' : 'newest')}
              >
                {header}
                <Icon name={order === 'newest' ? 'down' : 'up'} />
              </button>
            ) : (
              header
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function tracks({ isPhone, canSelect }: RowShape): string {
  const cells = isPhone ? ['1fr'] : leadColumns.map(({ width }) => width);
  return [...(canSelect ? ['2.25rem'] : []), ...cells].join(' ');
}

const phone = '(max-width: 40rem)';

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(phone);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(phone).matches,
    () => false,
  );
}
