import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

/** A column of a table. Keep the list of columns outside the component or in a memo. */
export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  /** The header is only read aloud: the cells hold buttons. */
  readonly isHeaderHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** The value to sort by. Without it the column cannot be sorted. Null goes last. */
  readonly sort?: (row: Row) => string | number | null;
  /** Numbers stand at the end of their cell. */
  readonly align?: 'end';
  /** Left out on a phone. */
  readonly isMinor?: boolean;
};

type DataTableProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Opens a row, by pointer or Enter. */
  readonly onRow?: (row: Row) => void;
  readonly dense?: boolean;
  /** What the table lists, for screen readers. */
  readonly label?: string;
};

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Draws a table that is sorted by its headers. `j` and `k` move between rows, Enter opens one. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, onRow, dense = false, label } = props;
  const table = useTable({
    features,
    data: rows,
    columns: useMemo(() => columns.map(definition), [columns]),
    getRowId: rowKey,
    enableMultiSort: false,
  });
  return (
    <TableBox label={label}>
      <table className="table" data-dense={dense} aria-label={label}>
        <thead>
          <tr>
            {table.getFlatHeaders().map(({ column }, index) => (
              <HeaderCell
                key={column.id}
                of={columns[index] as Column<Row>}
                sorted={column.getIsSorted()}
                onSort={column.getCanSort() ? () => column.toggleSorting() : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr key={id} {...(onRow && rowProps(() => onRow(original)))}>
              {columns.map((column) => (
                <td key={column.id} data-align={column.align} data-minor={column.isMinor}>
                  {column.cell(original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

type TableBoxProps = { readonly label: string | undefined; readonly children: ReactNode };

/** Holds a table. Keys can focus it while the table is too wide, since it scrolls sideways then. */
export function TableBox({ label, children }: TableBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isTooWide, setIsTooWide] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = () => setIsTooWide(current.scrollWidth > current.clientWidth);
    const observer = new ResizeObserver(measure);
    for (const each of [current, ...current.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  const focusable = isTooWide ? { role: 'group', tabIndex: 0, 'aria-label': label } : {};
  return (
    <div className="table-box" ref={box} {...focusable}>
      {children}
    </div>
  );
}

function definition<Row extends RowData>({
  id,
  sort,
}: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id,
    accessorFn: (row: Row) => sort?.(row) ?? undefined,
    enableSorting: sort !== undefined,
    sortUndefined: 'last',
    sortFn: (a, b, columnId) => compare(a.getValue(columnId), b.getValue(columnId)),
  };
}

type HeaderCellProps = {
  readonly of: Pick<Column<never>, 'header' | 'isHeaderHidden' | 'align' | 'isMinor'>;
  readonly sorted: false | 'asc' | 'desc';
  readonly onSort: (() => void) | undefined;
};

function HeaderCell({ of, sorted, onSort }: HeaderCellProps) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  return (
    <th scope="col" data-align={of.align} data-minor={of.isMinor} aria-sort={onSort && order}>
      {onSort ? (
        <button type="button" className="sort" onClick={onSort}>
          {of.header}
          {sorted !== false && <Icon name={sorted === 'asc' ? 'up' : 'down'} />}
        </button>
      ) : (
        <span className={of.isHeaderHidden ? 'visually-hidden' : undefined}>{of.header}</span>
      )}
    </th>
  );
}

/** The attributes of a row that opens something. The shell's keys find rows by `data-row`. */
export function rowProps(open: () => void) {
  return {
    className: 'row-link',
    'data-row': '',
    tabIndex: -1,
    onClick: (event: { target: EventTarget }) => {
      // A link, button or box within the row does its own work.
      const isOwn = (event.target as Element).closest('a, button, input, label') !== null;
      if (!isOwn && String(getSelection() ?? '') === '') open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.preventDefault();
      open();
    },
  };
}
