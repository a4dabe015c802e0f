import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { leadName } from '../../format.ts';
import { rowProps } from '../../parts/table.tsx';
import { Ago, StateBadge } from '../../parts/values.tsx';
import { Deliveries, leadColumns, surveyText } from './columns.tsx';

/** What the rows of the list share. */
export type RowShape = {
  readonly isPhone: boolean;
  /** Whether the operator may act on leads, so that rows can be selected. */
  readonly canSelect: boolean;
};

type LeadRowProps = RowShape & {
  readonly row: LeadRowAnswer;
  readonly index: number;
  /** The distance from the top of the list in pixels. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly onOpen: (id: string) => void;
  /** `through`: together with all rows from the one that was selected before. */
  readonly onSelect: (id: string, through: boolean) => void;
};

/** Draws one lead: a row of cells, or two lines on a phone. Enter opens it, Space selects it. */
export function LeadRow(props: LeadRowProps) {
  const { row, index, top, isPhone, canSelect, isSelected, onOpen, onSelect } = props;
  const { className, ...opens } = rowProps(() => onOpen(row.id));
  return (
    <tr
      {...opens}
      className={`leads-row ${className}`}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      // The header is row 1.
      aria-rowindex={index + 2}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === ' ' && event.target === event.currentTarget && canSelect) {
          event.preventDefault();
          onSelect(row.id, event.shiftKey);
        } else opens.onKeyDown(event);
      }}
    >
      {canSelect && (
        <Cell isBox>
          <input
            type="checkbox"
            aria-label={`Select ${row.name || 'the lead'}, ${leadName(row.id)}`}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              onSelect(row.id, (nativeEvent as unknown as MouseEvent).shiftKey)
            }
          />
        </Cell>
      )}
      {isPhone ? (
        <Cell>
          <TwoLines row={row} onOpen={onOpen} />
        </Cell>
      ) : (
        leadColumns.map((column, place) => (
          <Cell key={column.id}>
            {place === 0 ? (
              <LeadLink id={row.id} onOpen={onOpen}>
                {column.cell(row)}
              </LeadLink>
            ) : (
              column.cell(row)
            )}
          </Cell>
        ))
      )}
    </tr>
  );
}

type CellProps = { readonly isBox?: boolean; readonly children: ReactNode };

function Cell({ isBox = false, children }: CellProps) {
  return <td className={isBox ? 'leads-cell leads-box' : 'leads-cell'}>{children}</td>;
}

type LeadLinkProps = Pick<LeadRowProps, 'onOpen'> & {
  readonly id: string;
  readonly children: ReactNode;
};

/** A real link, so that the lead can also be opened in another tab. */
function LeadLink({ id, onOpen, children }: LeadLinkProps) {
  return (
    <a
      className="leads-link"
      href={`/leads/${id}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(id);
      }}
    >
      {children}
    </a>
  );
}

function TwoLines({ row, onOpen }: Pick<LeadRowProps, 'row' | 'onOpen'>) {
  const { id, name, state, deliveries, receivedAt, survey, source, usState } = row;
  const about = [surveyText(survey), source, usState].filter((text) => text !== '');
  return (
    <span className="leads-lines">
      <span>
        <LeadLink id={id} onOpen={onOpen}>
          <strong>{name || '–'}</strong>
        </LeadLink>
        {row.isTest && <span className="leads-mark">test</span>}
        {state === 'accepted' ? (
          <Deliveries deliveries={deliveries} />
        ) : (
          <StateBadge state={state} />
        )}
      </span>
      <span className="quiet">
        <Ago at={receivedAt} /> · {about.join(' · ')}
      </span>
    </span>
  );
}
