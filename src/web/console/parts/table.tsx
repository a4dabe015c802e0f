import { Fragment, type KeyboardEvent, type ReactNode, useState } from 'react';
import { count, dollars } from '../format.ts';
import { Pages } from './address.tsx';
import { Icon } from './icon.tsx';
import { Panel, type PanelProps } from './page.tsx';
import { Ago, StateBadge } from './values.tsx';

/** A column of a table. Two columns must not have the same header. */
export type Column<Row> = {
  readonly header: string;
  readonly head?: ReactNode;
  readonly isHeaderHidden?: boolean;
  readonly fold?: 'wrap' | 'clip';
  readonly cell?: (row: Row) => ReactNode;
  /** Returns the value by which the table is sorted. Null comes last. */
  readonly sort?: (row: Row) => string | number | null;
  readonly align?: 'end';
  readonly isMinor?: boolean;
};

type More<Row> = Partial<Column<Row>>;

export function timeColumn<Row>(
  header: string,
  at: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { header, sort: at, cell: (row) => <Ago at={at(row)} />, ...more };
}

export function numberColumn<Row>(
  header: string,
  value: (row: Row) => number | null,
  more: More<Row> = {},
): Column<Row> {
  return { header, align: 'end', sort: value, cell: (row) => count(value(row) ?? 0), ...more };
}

/** Describes a column of US dollars. */
export function dollarsColumn<Row>(
  header: string,
  amount: (row: Row) => number,
  more: More<Row> = {},
): Column<Row> {
  return numberColumn(header, amount, { cell: (row) => dollars(amount(row)), ...more });
}

export function stateColumn<Row extends { readonly state: string }>(
  more: More<Row> = {},
): Column<Row> {
  return {
    header: 'State',
    sort: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
    ...more,
  };
}

export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  const inRow = (row: Row) => <span className="row">{cell(row)}</span>;
  return { header: 'Actions', isHeaderHidden: true, align: 'end', cell: inRow };
}

type DataTableProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey?: (row: Row) => string;
  /** Called when the operator opens a row. */
  readonly onRow?: (row: Row) => void;
  readonly below?: (row: Row) => ReactNode;
  readonly dense?: boolean;
  readonly label: string;
};

type Order = { readonly header: string; readonly sign: 1 | -1 };

/** Draws a table with sortable columns. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey = idOf, onRow, below, dense = false, label } = props;
  const [order, setOrder] = useState<Order>();
  return (
    <div className="table-box">
      <table className="table" data-dense={dense} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.header}
                of={column}
                order={order?.header === column.header ? order : undefined}
                onSort={() => setOrder(nextOrder(column, order, rows))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered(rows, columns, order).map((row) => {
            const under = below?.(row);
            return (
              <Fragment key={rowKey(row)}>
                <tr data-row="" tabIndex={-1} {...(onRow && opening(() => onRow(row)))}>
                  {columns.map(({ header, align, isMinor, fold, cell, sort }) => (
                    <td key={header} data-align={align} data-minor={isMinor}>
                      {fold ? (
                        <span className={fold}>{(cell ?? sort)?.(row)}</span>
                      ) : (
                        (cell ?? sort)?.(row)
                      )}
                    </td>
                  ))}
                </tr>
                {under && (
                  <tr className="table-below">
                    <td colSpan={columns.length}>{under}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type ListPanelProps<T, Row> = Omit<PanelProps<T>, 'children' | 'isEmpty'> &
  Omit<DataTableProps<Row>, 'rows' | 'label'> & {
    readonly label?: string;
    readonly of?: (data: T) => readonly Row[];
    readonly note?: ReactNode;
  };

/** Draws a list of the server as a table with several pages. */
export function ListPanel<T extends object, Row>(props: ListPanelProps<T, Row>) {
  const {
    of = rowsOf,
    note,
    title = '',
    label = title,
    className,
    query,
    actions,
    rows,
    empty,
    ...table
  } = props;
  return (
    <Panel
      title={title || undefined}
      className={className}
      query={query}
      actions={actions}
      rows={rows}
      empty={empty}
      isEmpty={(data) => of(data).length === 0}
    >
      {(data) => (
        <>
          {note && <div className="body quiet">{note}</div>}
          <DataTable {...table} label={label} rows={of(data)} />
          {'next' in data && <Pages next={data.next as string | null} />}
        </>
      )}
    </Panel>
  );
}

function rowsOf(data: unknown): never[] {
  return data as never[];
}

function idOf(row: unknown): string {
  return (row as { readonly id: string }).id;
}

/** Returns the order after the operator pressed a column header. */
function nextOrder<Row>(
  { header, sort }: Column<Row>,
  now: Order | undefined,
  rows: readonly Row[],
): Order {
  if (now?.header === header) return { header, sign: now.sign === 1 ? -1 : 1 };
  return { header, sign: rows.some((row) => typeof sort?.(row) === 'number') ? -1 : 1 };
}

function ordered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sort = columns.find(({ header }) => header === order?.header)?.sort;
  if (!sort || !order) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [sort(one), sort(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return order.sign * (a - b);
    return order.sign * String(a).localeCompare(String(b), 'en', { numeric: true });
  });
}

type HeaderCellProps = {
  readonly of: Omit<Column<never>, 'cell'>;
  readonly order: Order | undefined;
  readonly onSort: () => void;
};

function HeaderCell({ of, order, onSort }: HeaderCellProps) {
  const { header, head, isHeaderHidden, align, isMinor, sort } = of;
  const sorted = order === undefined ? 'none' : order.sign === 1 ? 'ascending' : 'descending';
  return (
    <th scope="col" data-align={align} data-minor={isMinor} aria-sort={sort && sorted}>
      {head ??
        (sort ? (
          <button type="button" className="sort" onClick={onSort}>
            {header}
            {order && <Icon name={order.sign === 1 ? 'up' : 'down'} />}
          </button>
        ) : (
          <span className={isHeaderHidden ? 'visually-hidden' : undefined}>{header}</span>
        ))}
    </th>
  );
}

/** Returns the attributes of a row that a click or Enter opens. */
function opening(open: () => void) {
  return {
    onClick: (event: { target: EventTarget }) => {
      // A click on a link, button or input must not open the row.
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
